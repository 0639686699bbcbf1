package dev.baton.bench;

import java.util.concurrent.locks.LockSupport;

/** The one place that reads the clock, and the one that waits for it. */
final class Stopwatch {
    private final long start;

    private Stopwatch(long start) {
        this.start = start;
    }

    static Stopwatch started() {
        return new Stopwatch(System.nanoTime());
    }

    long nanos() {
        return System.nanoTime() - start;
    }

    /** A clock that all JVMs of a machine share; it begins somewhere. */
    static long machineNanos() {
        return System.nanoTime();
    }

    /** Waits without a processor: with few of them, one that is kept busy is taken from those who are measured. */
    static void rest(long nanos) {
        Stopwatch watch = started();
        for (long left = nanos; left > 0; left = nanos - watch.nanos()) {
            LockSupport.parkNanos(left);
        }
    }
}
