package dev.baton.internal.engine;

import dev.baton.spi.Resource;
import org.jspecify.annotations.Nullable;

/**
 * One caller that waits for one resource. Its outcome is set exactly once, under the resource's lock, so a grant and
 * the caller's giving up can never both win.
 *
 * <p>Memory effects: the engine's writes before it set the outcome are visible to a thread that reads the outcome.
 */
public abstract class Waiter {
    /** The result of a wait. */
    public sealed interface Outcome {}

    /** The caller has the lock. */
    public record Got(Grant grant) implements Outcome {}

    /** Held by another, or the caller's time ended while it was. */
    public record Busy() implements Outcome {}

    /** The state is unknown, or the request was refused. */
    public record Failed(RuntimeException reason) implements Outcome {}

    /** The terms of the hold. */
    protected final HoldRequest request;

    /** Whether it fails at once if the lock is not free. */
    protected final boolean tryOnly;

    /** Whether it has a deadline of its own. */
    protected final boolean timed;

    /** Whether the caller waits for so short a time that it cannot tell whether the store works. */
    private boolean brief;

    final @Nullable Thread thread;
    final @Nullable Throwable takenAt;
    long startNanos;

    /** Its event for the Flight Recorder; null if none is recorded. */
    Flight.@Nullable Wait flight;

    /** The queue's links, guarded by the resource's lock. */
    @Nullable
    Waiter previous;

    @Nullable
    Waiter next;

    boolean queued;

    /** What it asks for; set when it asks. */
    @Nullable
    Resource asked;

    private volatile @Nullable Outcome outcome;

    /**
     * Creates a caller.
     *
     * @param request the terms of the hold
     * @param tryOnly whether to fail at once if the lock is not free
     * @param timed whether the caller has a deadline of its own; otherwise it waits for a broken store for the store
     *     timeout
     * @param thread the thread to interrupt on loss, and to report if it waits for its own lease; null for asynchronous
     *     callers
     * @param takenAt stack of the request; null if not traced
     */
    protected Waiter(
            HoldRequest request, boolean tryOnly, boolean timed, @Nullable Thread thread, @Nullable Throwable takenAt) {
        this.request = request;
        this.tryOnly = tryOnly;
        this.timed = timed;
        this.thread = thread;
        this.takenAt = takenAt;
    }

    /**
     * Sets how long the caller waits at most, before it asks. How long it has waited in the end is no measure: this machine may
     * have kept it from running.
     *
     * @param waitNanos nanoseconds
     */
    public final void waitsFor(long waitNanos) {
        brief = waitNanos < Command.TOO_SHORT_TO_KNOW_NANOS;
    }

    final boolean isBrief() {
        return brief;
    }

    /** Returns the outcome, or null while it waits. */
    public final @Nullable Outcome outcome() {
        return outcome;
    }

    final void settle(Outcome result) {
        outcome = result;
    }

    /** Returns who asks, as text for users; called only when the store is asked. */
    protected abstract String description();

    /** Called once, after the outcome is set, outside every lock. Must be fast: wakes a thread or hands over. */
    protected abstract void settled();
}
