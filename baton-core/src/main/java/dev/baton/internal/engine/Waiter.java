package dev.baton.internal.engine;

import org.jspecify.annotations.Nullable;

/**
 * One caller that waits for one resource. Its outcome is set exactly once, under the resource's lock, which is why a
 * grant and the caller's giving up can never both win.
 *
 * <p>Memory effects: what the engine did before it set the outcome is visible to whoever reads it.
 */
public abstract class Waiter {
    /** What a caller gets. */
    public sealed interface Outcome {}

    /** Mine. */
    public record Got(Grant grant) implements Outcome {}

    /** Held by another, or out of time while it was. */
    public record Busy() implements Outcome {}

    /** Unknown, or refused. */
    public record Failed(RuntimeException reason) implements Outcome {}

    /** How to hold. */
    protected final HoldRequest request;

    /** Whether it takes no for an answer at once. */
    protected final boolean tryOnly;

    /** Whether it has a deadline of its own. */
    protected final boolean timed;

    final @Nullable Thread thread;
    final @Nullable Throwable takenAt;
    long startNanos;

    /** The queue's links, guarded by the resource's lock. */
    @Nullable
    Waiter previous;

    @Nullable
    Waiter next;

    boolean queued;

    /** The resource that has it; set by the engine when it asks. */
    @Nullable
    LocalResource resource;

    private volatile @Nullable Outcome outcome;

    /**
     * A caller.
     *
     * @param request how to hold
     * @param tryOnly whether to take no for an answer at once
     * @param timed whether the caller has a deadline of its own; otherwise the store timeout ends a broken store
     * @param thread the thread to interrupt on loss and to tell of waiting for itself; null for asynchronous callers
     * @param takenAt where the lease is asked for; null if not traced
     */
    protected Waiter(
            HoldRequest request, boolean tryOnly, boolean timed, @Nullable Thread thread, @Nullable Throwable takenAt) {
        this.request = request;
        this.tryOnly = tryOnly;
        this.timed = timed;
        this.thread = thread;
        this.takenAt = takenAt;
    }

    /** What came of it, or null while it waits. */
    public final @Nullable Outcome outcome() {
        return outcome;
    }

    final void settle(Outcome result) {
        outcome = result;
    }

    /** Who asks, for people: made only when the store is asked. */
    protected abstract String description();

    /** Called once, after the outcome is set, outside every lock. Must be quick: wakes a thread or hands over. */
    protected abstract void settled();
}
