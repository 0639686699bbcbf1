package dev.baton.examples;

import dev.baton.Baton;
import dev.baton.DistributedLock;
import dev.baton.Lease;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.SQLException;

/** Sells a limited stock from any number of processes, and never sells a unit twice. */
final class FlashSale {
    private final Baton baton;
    private final Inventory inventory;

    FlashSale(Baton baton, Inventory inventory) {
        this.baton = baton;
        this.inventory = inventory;
    }

    // tag::sell[]
    /** Sells one unit, if there is one. A process that was stopped and lost the lock meanwhile gets an exception. */
    boolean sell(String sku) throws SQLException, InterruptedException {
        DistributedLock lock = baton.lock("stock:" + sku);
        try (Lease lease = lock.acquire()) {
            int units = inventory.read(sku, lease.token());
            if (units == 0) {
                return false;
            }
            inventory.write(sku, units - 1, lease.token());
            return true;
        }
    }
    // end::sell[]

    /** Sells 100 units. Arguments, both optional: a directory, and the address of a store for the lock. */
    public static void main(String[] args) throws IOException, SQLException, InterruptedException {
        Path directory = args.length > 0 ? Path.of(args[0]) : Files.createTempDirectory("flash-sale-");
        Files.createDirectories(directory);
        String store = args.length > 1 ? args[1] : "jdbc:sqlite:" + directory.resolve("locks.db");
        try (Baton baton = Baton.connect(store);
                Inventory inventory = new Inventory("jdbc:sqlite:" + directory.resolve("inventory.db"))) {
            inventory.stockUp("sku-42", 100);
            FlashSale shop = new FlashSale(baton, inventory);
            int sold = 0;
            while (shop.sell("sku-42")) {
                sold++;
            }
            System.out.println("This shop sold " + sold + " units; everything is in " + directory);
        }
    }
}
