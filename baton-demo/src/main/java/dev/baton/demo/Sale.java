package dev.baton.demo;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.function.BooleanSupplier;

/**
 * One round, from the parent's side. The buyers come in waves; between two waves a holder gets into position for its
 * trouble. Only the books decide the result.
 */
public final class Sale {
    private static final Duration START = Duration.ofSeconds(20);
    private static final long LOOK_MILLIS = 10;

    private final Round round;
    private final Settings settings;
    private final Assignment assignment;
    private final Children children;
    private final SaleListener listener;
    private final List<Child> sellers = new ArrayList<>();
    private final Shop shop;
    private int calmSales;
    private long calmNanos;
    private boolean stuck;
    private boolean holderKnew = true;
    private int villains;
    private String note = "";

    private Sale(Round round, Settings settings, Assignment assignment, Children children, SaleListener listener) {
        this.round = round;
        this.settings = settings;
        this.assignment = assignment;
        this.children = children;
        this.listener = listener;
        this.shop = new Shop(assignment.place().shop());
    }

    /**
     * Plays one round to its end.
     *
     * @param round the round
     * @param settings how large the sale is
     * @param demo the demo's directory; the round gets one in it
     * @param children starts the processes; none is left when this returns
     * @param listener hears how it goes on
     * @return what the books say
     * @throws InterruptedException if the thread is interrupted
     * @throws DemoException if a process fails
     */
    public static Result run(Round round, Settings settings, Path demo, Children children, SaleListener listener)
            throws InterruptedException {
        Path directory = demo.resolve(round.name());
        try {
            Files.createDirectory(directory);
        } catch (IOException e) {
            throw new UncheckedIOException("cannot create " + directory, e);
        }
        // One wave before the first fault, one during each fault, and one for the remaining units.
        int waves = round.faults().size() + 2;
        int quota = settings.stock() / waves / settings.buyers();
        Assignment assignment = new Assignment(
                Assignment.Role.SELLER,
                "",
                round.name(),
                directory,
                settings.store(),
                settings.threads(),
                quota,
                waves,
                round.faults().get(0));
        Shop.create(assignment.place().shop(), settings.stock());
        Sale sale = new Sale(round, settings, assignment, children, listener);
        try {
            return sale.run();
        } finally {
            sale.shop.close();
            children.killAll();
        }
    }

    private Result run() throws InterruptedException {
        long start = System.nanoTime();
        listener.started(round);
        startSellers();
        calmWave(1);
        for (int i = 0; i < round.faults().size() && !stuck; i++) {
            play(round.faults().get(i), i + 2);
        }
        note = "";
        if (!stuck) {
            calmWave(assignment.waves());
        }
        sellers.forEach(seller -> seller.tell(Word.STOP));
        await(() -> allSaid(Word.WAITED, 1), Duration.ofSeconds(2));
        Result result = new Result(
                round,
                settings.stock(),
                shop.books(),
                stuck,
                calmNanos == 0 ? 0 : calmSales * 1e9 / calmNanos,
                Waits.of(sellers.stream()
                        .flatMap(seller -> seller.last(Word.WAITED).stream())
                        .map(Child.Message::more)
                        .toList()),
                holderKnew,
                (System.nanoTime() - start) / 1e9);
        listener.ended(result);
        return result;
    }

    private void startSellers() throws InterruptedException {
        for (int i = 1; i <= settings.processes(); i++) {
            sellers.add(children.start(assignment.asSeller("shop" + i)));
        }
        require(await(() -> allSaid(Word.UP, 1), START), "the shops did not start in time");
    }

    /** Runs a wave without trouble. Only these waves are used to measure the sales per second. */
    private void calmWave(int wave) throws InterruptedException {
        int before = shop.orders();
        long opened = System.nanoTime();
        open();
        awaitSales(wave);
        long idle = sellers.stream()
                .flatMap(seller -> seller.last(Word.IDLE).stream())
                .mapToLong(Child.Message::atNanos)
                .max()
                .orElse(opened);
        if (!stuck) {
            calmSales += shop.orders() - before;
            calmNanos += idle - opened;
        }
    }

    private void play(Fault fault, int wave) throws InterruptedException {
        note = fault.title();
        Child villain = children.start(assignment.asVillain("villain" + ++villains, fault));
        require(await(() -> villain.said(Word.UP, 1), START), "the holder did not start in time");
        villain.tell(Word.ENGAGE);
        require(await(() -> villain.said(Word.READY, 1), START), "the holder did not get the lock in time");
        boolean passed = false;
        if (fault == Fault.KILLED_HOLDER) {
            villain.kill();
            open();
        } else if (fault == Fault.STOPPED_HOLDER) {
            Stopped stopped = Stopped.stop(villain.pid());
            try {
                passed = openAndLetPass(fault, wave);
            } finally {
                stopped.close();
            }
        } else {
            passed = openAndLetPass(fault, wave);
        }
        if (fault != Fault.KILLED_HOLDER) {
            finish(villain, fault, passed);
        }
        awaitSales(wave);
    }

    private void finish(Child villain, Fault fault, boolean passed) throws InterruptedException {
        villain.tell(Word.FINISH);
        require(await(() -> villain.said(Word.DONE, 1), START), "the holder did not come to its end in time");
        boolean believed = villain.last(Word.DONE)
                .map(message -> Boolean.parseBoolean(message.more()))
                .orElse(true);
        if (fault == Fault.STOPPED_HOLDER && passed && believed) {
            holderKnew = false;
        }
    }

    private void open() {
        sellers.forEach(seller -> seller.tell(Word.OPEN));
    }

    /** Opens a wave that may pass the holder in trouble, and returns whether any buyer passed it. */
    private boolean openAndLetPass(Fault fault, int wave) throws InterruptedException {
        int before = shop.orders();
        open();
        await(() -> allSaid(Word.IDLE, wave), fault.patience());
        return shop.orders() > before;
    }

    /** Waits until all buyers of a wave are done, or nothing has been sold for too long. */
    private void awaitSales(int wave) throws InterruptedException {
        int before;
        do {
            before = shop.orders();
            if (await(() -> allSaid(Word.IDLE, wave), round.stuckAfter())) {
                return;
            }
        } while (shop.orders() > before);
        stuck = true;
    }

    private boolean await(BooleanSupplier until, Duration patience) throws InterruptedException {
        long start = System.nanoTime();
        while (!until.getAsBoolean()) {
            if (System.nanoTime() - start > patience.toNanos()) {
                return false;
            }
            children.check();
            listener.show(round, shop.orders(), note);
            Pause.millis(LOOK_MILLIS);
        }
        return true;
    }

    private boolean allSaid(Word word, int times) {
        return sellers.stream().allMatch(seller -> seller.said(word, times));
    }

    private static void require(boolean condition, String otherwise) {
        if (!condition) {
            throw new IllegalStateException(otherwise);
        }
    }
}
