package dev.baton.bench;

import dev.baton.bench.Contestant.Worker;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Semaphore;
import java.util.function.Function;
import java.util.function.Supplier;

/**
 * Has many locks at once for the whole turn, and does nothing but look after them: what is left is their renewal.
 *
 * @param <L> what stands for a lock that is held
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
     * Holds locks.
     *
     * @param acquirers one for each lock
     * @param isWell whether a lock is still held, and its renewal not overdue; asks nobody
     * @param releaser gives a lock back
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

    /** One operation is one look at all locks. */
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

    /** Bounds what is on its way. */
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
