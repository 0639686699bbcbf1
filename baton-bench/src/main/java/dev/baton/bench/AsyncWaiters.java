package dev.baton.bench;

import dev.baton.bench.Contestant.Worker;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** Keeps many asynchronous callers waiting for one lock; each acquires it once and releases it. */
final class AsyncWaiters implements Worker {
    private final int waiters;
    private final Supplier<CompletableFuture<?>> pair;
    private final Semaphore free;
    private final AtomicLong done = new AtomicLong();
    private final AtomicReference<@Nullable Throwable> failure = new AtomicReference<>();
    private long told;

    /**
     * Prepares callers that wait.
     *
     * @param waiters the number of callers
     * @param pair requests the lock; the returned future completes when the lock has been released
     */
    AsyncWaiters(int waiters, Supplier<CompletableFuture<?>> pair) {
        this.waiters = waiters;
        this.pair = pair;
        this.free = new Semaphore(waiters);
    }

    @Override
    public void enter() throws Exception {
        for (int i = 0; i < waiters; i++) {
            ask();
        }
    }

    @Override
    public long work(Runnable section) throws Exception {
        ask();
        Throwable failed = failure.get();
        if (failed != null) {
            throw new CompletionException(failed);
        }
        long now = done.get();
        long news = now - told;
        told = now;
        return news;
    }

    private void ask() throws InterruptedException, TimeoutException {
        if (!free.tryAcquire(Turn.PATIENCE.toSeconds(), TimeUnit.SECONDS)) {
            throw new TimeoutException("nobody had the lock for " + Turn.PATIENCE);
        }
        CompletableFuture<?> unused = pair.get().whenComplete((one, failed) -> {
            done.incrementAndGet();
            if (failed != null) {
                failure.set(failed);
            }
            free.release();
        });
    }

    /** Waits until every caller has had the lock. */
    @Override
    public void leave() throws Exception {
        if (!free.tryAcquire(waiters, Turn.PATIENCE.toSeconds(), TimeUnit.SECONDS)) {
            throw new TimeoutException("the last did not come within " + Turn.PATIENCE);
        }
        free.release(waiters);
        told = done.get();
    }
}
