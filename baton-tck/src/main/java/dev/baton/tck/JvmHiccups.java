package dev.baton.tck;

import java.time.Duration;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.locks.LockSupport;

/**
 * Measures how long this machine keeps a thread from running that wants to, so that time limits can be fair. Measures
 * from its construction until it is closed. Thread-safe.
 */
public final class JvmHiccups implements AutoCloseable {
    private static final long PERIOD_NANOS = 1_000_000;

    private final AtomicBoolean stopped = new AtomicBoolean();
    private final Thread thread = new Thread(this::watch, "tck-hiccups");
    private volatile long lastNanos = System.nanoTime();
    private volatile long worstNanos;

    /** Begins. */
    public JvmHiccups() {
        thread.setDaemon(true);
        thread.start();
    }

    private void watch() {
        while (!stopped.get()) {
            LockSupport.parkNanos(PERIOD_NANOS);
            worstNanos = Math.max(worstNanos, sinceLast());
            lastNanos = System.nanoTime();
        }
    }

    private long sinceLast() {
        return System.nanoTime() - lastNanos - PERIOD_NANOS;
    }

    /** The worst so far, with the one that is not over yet: whoever asks may have been the first to run again. */
    public Duration worst() {
        return Duration.ofNanos(Math.max(worstNanos, sinceLast()));
    }

    /** A bound that is fair on this machine: with the worst for each of the threads that the work goes through. */
    public Duration fair(Duration bound, int threads) {
        return bound.plus(worst().multipliedBy(threads));
    }

    @Override
    public void close() {
        stopped.set(true);
    }
}
