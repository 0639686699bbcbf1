package dev.baton.internal.client;

import java.util.concurrent.atomic.AtomicBoolean;

/**
 * A completion or an action on its way to user code. It begins once, on the first thread that takes it; if none takes
 * it in time, it is given up instead.
 */
abstract class Delivery implements Runnable {
    /** For deliveries without a time limit. */
    static final long FOREVER = Long.MAX_VALUE;

    private final AtomicBoolean begun = new AtomicBoolean();
    private final long sinceNanos = SystemClock.INSTANCE.nanos();
    private final long limitNanos;

    /** Whether an executor of the user has it, or it needs none any more. */
    private volatile boolean accepted;

    Delivery(long limitNanos) {
        this.limitNanos = limitNanos;
    }

    /** Runs user code. */
    abstract void deliver();

    /**
     * Undoes the effects of a delivery that will not happen. Must be fast, and runs no user code.
     *
     * @param why shown to users
     */
    abstract void giveUp(String why);

    @Override
    public final void run() {
        if (begun.compareAndSet(false, true)) {
            deliver();
        }
    }

    final boolean isBegun() {
        return begun.get();
    }

    final long limitNanos() {
        return limitNanos;
    }

    final boolean isOlderThan(long nanos) {
        return nanos != FOREVER && SystemClock.INSTANCE.nanos() - sinceNanos > nanos;
    }

    final void accept() {
        accepted = true;
    }

    final boolean isAccepted() {
        return accepted;
    }

    /** Gives it up, unless it has begun. */
    final void giveUpIfNotBegun(String why) {
        if (begun.compareAndSet(false, true)) {
            giveUp(why);
        }
    }
}
