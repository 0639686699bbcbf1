package dev.baton.bench;

import dev.baton.bench.Contestant.Worker;
import dev.baton.bench.jvm.Stopwatch;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Semaphore;
import java.util.function.Function;
import java.util.function.Supplier;

/**
 * Holds many locks for the whole turn and only checks them, so that their renewal is the only work.
 *
 * @param <L> the type of a held lock
 */
final class Holding<L> implements Worker {
    private static final int AT_ONCE = 256;
    private static final long PERIOD_NANOS = 1_000_000_000;

    private final List<Supplier<CompletableFuture<L>>> acquirers;
    private final Function<L, Boolean> isWell;
    private final Function<L, CompletableFuture<?>> releaser;
    private List<L> held = List.of();
    private long faults;

    /**
     * Prepares to hold locks.
     *
     * @param acquirers acquire the locks, one for each
     * @param isWell returns whether a lock is held and its renewal is not overdue, without a call to the server
     * @param releaser releases a lock
     */
    Holding(
            List<Supplier<CompletableFuture<L>>> acquirers,
            Function<L, Boolean> isWell,
            Function<L, CompletableFuture<?>> releaser) {
        this.acquirers = acquirers;
        this.isWell = isWell;
        this.releaser = releaser;
    }

    @Override
    public void enter() throws Exception {
        List<CompletableFuture<L>> coming = new ArrayList<>();
        Window window = new Window();
        for (Supplier<CompletableFuture<L>> each : acquirers) {
            coming.add(window.begin(each));
        }
        List<L> all = new ArrayList<>();
        for (CompletableFuture<L> each : coming) {
            all.add(each.get());
        }
        held = all;
    }

    /** Checks all locks; that is one operation. */
    @Override
    public long work(Runnable section) {
        Stopwatch.rest(PERIOD_NANOS);
        faults += held.stream().filter(each -> !isWell.apply(each)).count();
        return 1;
    }

    @Override
    public long faults() {
        return faults;
    }

    @Override
    public void leave() throws Exception {
        List<CompletableFuture<?>> going = new ArrayList<>();
        Window window = new Window();
        for (L each : held) {
            going.add(window.begin(() -> releaser.apply(each)));
        }
        for (CompletableFuture<?> each : going) {
            each.get();
        }
        held = List.of();
    }

    /** Bounds the number of pending calls. */
    private static final class Window {
        private final Semaphore free = new Semaphore(AT_ONCE);

        <T> CompletableFuture<T> begin(Supplier<? extends CompletableFuture<T>> call) throws InterruptedException {
            free.acquire();
            CompletableFuture<T> begun = call.get();
            CompletableFuture<T> unused = begun.whenComplete((done, failed) -> free.release());
            return begun;
        }
    }
}
