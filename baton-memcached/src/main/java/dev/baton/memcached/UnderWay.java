package dev.baton.memcached;

import dev.baton.internal.store.FinishedAttempts;
import dev.baton.internal.store.Uninterrupted;
import dev.baton.spi.Deadline;
import dev.baton.spi.StoreFailure;
import dev.baton.spi.StoreFailure.Effect;
import dev.baton.spi.StoreFailure.Reason;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeoutException;

/**
 * The acquires of this client that are under way, by attempt. A cancel waits for the acquire that it undoes: the two
 * may have different connections, and an acquire that has passed its look at {@link FinishedAttempts} would write its hold after
 * the cancel had found none. Thread-safe.
 */
final class UnderWay {
    private final Map<Long, CompletableFuture<Void>> acquires = new ConcurrentHashMap<>();

    /** Notes that an acquire sets out, and returns what to run when it has come back. */
    Runnable begin(long attempt) {
        CompletableFuture<Void> end = new CompletableFuture<>();
        // An acquire can be repeated while its first sending is still under way.
        acquires.merge(attempt, end, CompletableFuture::allOf);
        return () -> {
            end.complete(null);
            acquires.computeIfPresent(attempt, (key, ends) -> ends.isDone() ? null : ends);
        };
    }

    /**
     * Returns when no acquire of the attempt is under way. Not interruptible, like every call that undoes something.
     *
     * @throws StoreFailure if one still is at the deadline
     */
    void await(long attempt, Deadline deadline) throws StoreFailure {
        CompletableFuture<Void> ends = acquires.get(attempt);
        if (ends == null) {
            return;
        }
        try {
            Uninterrupted.get(ends, deadline);
        } catch (TimeoutException e) {
            throw new StoreFailure(
                    Effect.UNKNOWN,
                    Reason.UNREACHABLE,
                    "the request that is to be undone was still under way to Memcached after all of the call's time",
                    e);
        } catch (ExecutionException e) {
            throw new IllegalStateException("the end of an acquire cannot fail", e);
        }
    }
}
