package dev.baton.internal.store;

/** The clock of stores without a server, and of stores whose clients keep the deadlines themselves. */
public final class HostClock {
    private static final long ORIGIN_NANOS = System.nanoTime();
    private static final long ORIGIN_MICROS = System.currentTimeMillis() * 1_000;

    private HostClock() {}

    /**
     * Returns microseconds since 1970, as the wall clock showed when this class was loaded; later changes of the wall
     * clock have no effect.
     *
     * @return the time, which never goes back
     */
    public static long micros() {
        return ORIGIN_MICROS + (System.nanoTime() - ORIGIN_NANOS) / 1_000;
    }

    /**
     * Returns microseconds since 1970 as the wall clock shows them now, for times that clients on other machines compare
     * with theirs.
     *
     * @return the time, which may jump
     */
    public static long wallMicros() {
        return System.currentTimeMillis() * 1_000;
    }
}
