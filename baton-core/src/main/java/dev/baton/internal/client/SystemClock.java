package dev.baton.internal.client;

import dev.baton.internal.engine.Clock;

/** The machine's clocks; the only place that reads them. */
public enum SystemClock implements Clock {
    /** The machine's. */
    INSTANCE;

    private static final long ORIGIN_NANOS = System.nanoTime();
    private static final long ORIGIN_MICROS = System.currentTimeMillis() * 1_000;

    @Override
    public long nanos() {
        return System.nanoTime();
    }

    @Override
    public long wallMillis() {
        return System.currentTimeMillis();
    }

    /** Microseconds since 1970, as the wall clock stood when the JVM started, and never set since: an embedded store's. */
    public static long storeMicros() {
        return ORIGIN_MICROS + (System.nanoTime() - ORIGIN_NANOS) / 1_000;
    }
}
