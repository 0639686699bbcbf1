package dev.baton.tck;

import java.time.Duration;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.locks.LockSupport;

/** Measures how long this machine keeps a thread from running that wants to, so that time limits can be fair. */
final class JvmHiccups implements AutoCloseable {
    private static final long PERIOD_NANOS = 1_000_000;

    private final AtomicBoolean stopped = new AtomicBoolean();
    private final Thread thread = new Thread(this::watch, "tck-hiccups");
    private volatile long worstNanos;

    JvmHiccups() {
        thread.setDaemon(true);
        thread.start();
    }

    private void watch() {
        long last = System.nanoTime();
        while (!stopped.get()) {
            LockSupport.parkNanos(PERIOD_NANOS);
            long now = System.nanoTime();
            worstNanos = Math.max(worstNanos, now - last - PERIOD_NANOS);
            last = now;
        }
    }

    /** The worst so far. */
    Duration worst() {
        return Duration.ofNanos(worstNanos);
    }

    @Override
    public void close() {
        stopped.set(true);
    }
}
