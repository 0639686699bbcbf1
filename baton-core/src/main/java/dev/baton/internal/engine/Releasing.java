package dev.baton.internal.engine;

import dev.baton.ReleaseOutcome;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;

/** A release in flight. Its outcome is UNKNOWN until the store has answered. */
public final class Releasing {
    private final @Nullable CompletableFuture<ReleaseOutcome> future;
    private volatile ReleaseOutcome outcome = ReleaseOutcome.UNKNOWN;

    /**
     * Creates a release.
     *
     * @param future completed on the callback executor; null if the caller performs the command itself
     */
    public Releasing(@Nullable CompletableFuture<ReleaseOutcome> future) {
        this.future = future;
    }

    /** Returns the outcome so far. */
    public ReleaseOutcome outcome() {
        return outcome;
    }

    void settle(ReleaseOutcome found) {
        outcome = found;
    }

    @Nullable
    CompletableFuture<ReleaseOutcome> future() {
        return future;
    }
}
