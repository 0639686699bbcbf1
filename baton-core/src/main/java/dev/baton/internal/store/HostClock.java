package dev.baton.internal.store;

/** The clock of stores that have no server to ask, or whose deadlines their clients keep themselves. */
public final class HostClock {
    private static final long ORIGIN_NANOS = System.nanoTime();
    private static final long ORIGIN_MICROS = System.currentTimeMillis() * 1_000;

    private HostClock() {}

    /**
     * Microseconds since 1970, as the wall clock stood when the JVM started, and never set since.
     *
     * @return the time, which never goes back
     */
    public static long micros() {
        return ORIGIN_MICROS + (System.nanoTime() - ORIGIN_NANOS) / 1_000;
    }
}
