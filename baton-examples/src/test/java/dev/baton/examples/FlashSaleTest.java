package dev.baton.examples;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.baton.Baton;
import dev.baton.Lease;
import dev.baton.servers.RedisServer;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class FlashSaleTest {
    private static final String SKU = "sku-42";

    @TempDir
    Path directory;

    @Test
    void sell_fromSeveralShops_sellsEachUnitOnce() throws Exception {
        try (Inventory inventory = openInventory()) {
            inventory.stockUp(SKU, 60);
        }
        ExecutorService shops = Executors.newFixedThreadPool(3);
        List<Callable<Integer>> work = IntStream.range(0, 3)
                .<Callable<Integer>>mapToObj(i -> this::sellAll)
                .toList();
        int sold = 0;
        for (Future<Integer> shop : shops.invokeAll(work)) {
            sold += shop.get();
        }
        shops.shutdown();
        assertThat(sold).isEqualTo(60);
    }

    @Test
    void write_ofAFormerHolder_isRefused() throws Exception {
        try (Baton baton = connect();
                Inventory inventory = openInventory()) {
            inventory.stockUp(SKU, 5);
            Lease former = baton.lock("stock:" + SKU).acquire();
            int seen = inventory.read(SKU, former.token());
            former.release();
            assertThat(new FlashSale(baton, inventory).sell(SKU)).isTrue();
            assertThatThrownBy(() -> inventory.write(SKU, seen - 1, former.token()))
                    .isInstanceOf(StaleTokenException.class)
                    .hasMessageContaining(Long.toString(former.token()));
            assertThatThrownBy(() -> inventory.read(SKU, former.token())).isInstanceOf(StaleTokenException.class);
        }
    }

    @Test
    void main_sellsEverything_once() throws Exception {
        FlashSale.main(new String[] {directory.toString()});
        try (Baton baton = connect();
                Inventory inventory = openInventory()) {
            assertThat(new FlashSale(baton, inventory).sell(SKU)).isFalse();
        }
    }

    @Test
    void main_withTheAddressOfARedis_locksThere() throws Exception {
        RedisServer redis = RedisServer.shared();
        long before = redis.calls("evalsha");
        FlashSale.main(new String[] {directory.toString(), redis.uri()});
        assertThat(redis.calls("evalsha") - before).isGreaterThan(2 * 100);
        try (Inventory inventory = openInventory()) {
            assertThat(inventory.read(SKU, Long.MAX_VALUE)).isZero();
        }
    }

    private int sellAll() throws Exception {
        try (Baton baton = connect();
                Inventory inventory = openInventory()) {
            FlashSale shop = new FlashSale(baton, inventory);
            int sold = 0;
            while (shop.sell(SKU)) {
                sold++;
            }
            return sold;
        }
    }

    private Baton connect() {
        return Baton.connect("jdbc:sqlite:" + directory.resolve("locks.db"));
    }

    private Inventory openInventory() throws Exception {
        return new Inventory("jdbc:sqlite:" + directory.resolve("inventory.db"));
    }
}
