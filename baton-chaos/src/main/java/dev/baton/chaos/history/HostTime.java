package dev.baton.chaos.history;

import java.time.Duration;
import java.util.concurrent.TimeUnit;

/**
 * The monotonic clock of this machine, which all JVMs on it share: times of different processes can be compared. The wall
 * clock, which a fault may set for a process, is for locks that go by it.
 */
public final class HostTime {
    private HostTime() {}

    /** Returns the present time in nanoseconds since an unknown moment. */
    public static long nanos() {
        return System.nanoTime();
    }

    /** Returns the wall clock of this process, in milliseconds. */
    public static long wallMillis() {
        return System.currentTimeMillis();
    }

    /** Returns the time that has passed since a moment. */
    public static Duration since(long nanos) {
        return Duration.ofNanos(nanos() - nanos);
    }

    /** Sleeps. */
    public static void sleep(Duration time) throws InterruptedException {
        TimeUnit.NANOSECONDS.sleep(Math.max(0, time.toNanos()));
    }
}
