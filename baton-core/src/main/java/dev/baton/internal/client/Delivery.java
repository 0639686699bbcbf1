package dev.baton.internal.client;

import java.util.concurrent.atomic.AtomicBoolean;

/**
 * Something on its way to code of users: a completion or an action. Begins once, on the thread that comes to it first;
 * if none comes to it in time, it is given up instead.
 */
abstract class Delivery implements Runnable {
    /** For deliveries that wait for as long as it takes. */
    static final long FOREVER = Long.MAX_VALUE;

    private final AtomicBoolean begun = new AtomicBoolean();
    private final long sinceNanos = SystemClock.INSTANCE.nanos();
    private final long limitNanos;

    /** Whether an executor of the user's has it, or it needs none any more. */
    private volatile boolean accepted;

    Delivery(long limitNanos) {
        this.limitNanos = limitNanos;
    }

    /** Runs user code. */
    abstract void deliver();

    /**
     * Makes good for the delivery that will not be: must be quick, and runs no user code.
     *
     * @param why for people
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
