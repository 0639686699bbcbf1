package dev.baton.tck;

import java.time.Duration;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.locks.LockSupport;

/**
 * Measures how long this machine keeps a runnable thread from running, so that time limits can be fair. It measures
 * from its construction until it is closed. Thread-safe.
 */
public final class JvmHiccups implements AutoCloseable {
    private static final long PERIOD_NANOS = 1_000_000;

    private final AtomicBoolean stopped = new AtomicBoolean();
    private final Thread thread = new Thread(this::watch, "tck-hiccups");
    private volatile long lastNanos = System.nanoTime();
    private volatile long worstNanos;

    /** Starts measuring. */
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

    /**
     * Returns the worst delay so far, including one still in progress: the caller may be the first thread to run again.
     */
    public Duration worst() {
        return Duration.ofNanos(Math.max(worstNanos, sinceLast()));
    }

    /**
     * Returns a bound that is fair on this machine: adds the worst delay once for each thread that takes part in the
     * work.
     */
    public Duration fair(Duration bound, int threads) {
        return bound.plus(worst().multipliedBy(threads));
    }

    @Override
    public void close() {
        stopped.set(true);
    }
}
