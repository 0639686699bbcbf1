package dev.baton.internal.engine;

import dev.baton.ReleaseOutcome;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;

/** A release in flight. Its outcome is UNKNOWN until the store has answered. */
public final class Releasing {
    private static final long UNUSED = -1;

    private final @Nullable CompletableFuture<ReleaseOutcome> future;
    private final long keepNanos;
    private volatile ReleaseOutcome outcome = ReleaseOutcome.UNKNOWN;

    /**
     * Creates a release.
     *
     * @param future completed on the callback executor; null if the caller performs the command itself
     */
    public Releasing(@Nullable CompletableFuture<ReleaseOutcome> future) {
        this(future, 0);
    }

    /**
     * Creates a release that keeps the lock for a time.
     *
     * @param future completed on the callback executor; null if the caller performs the command itself
     * @param keepNanos how long the store grants it to no client from now on
     */
    public Releasing(@Nullable CompletableFuture<ReleaseOutcome> future, long keepNanos) {
        this.future = future;
        this.keepNanos = keepNanos;
    }

    /**
     * Creates the release of a grant that no caller has used: nothing is kept, whatever its terms are.
     *
     * @return a release whose outcome nobody awaits
     */
    public static Releasing ofUnused() {
        return new Releasing(null, UNUSED);
    }

    /** Returns the outcome so far. */
    public ReleaseOutcome outcome() {
        return outcome;
    }

    long keepNanos() {
        return keepNanos;
    }

    boolean isOfUnused() {
        return keepNanos == UNUSED;
    }

    void settle(ReleaseOutcome found) {
        outcome = found;
    }

    @Nullable
    CompletableFuture<ReleaseOutcome> future() {
        return future;
    }
}
