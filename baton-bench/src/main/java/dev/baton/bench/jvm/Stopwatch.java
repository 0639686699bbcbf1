package dev.baton.bench.jvm;

import java.util.concurrent.locks.LockSupport;

/** Reads the clock and waits for a time. No other class of the benchmarks does so. */
public final class Stopwatch {
    private final long start;

    private Stopwatch(long start) {
        this.start = start;
    }

    public static Stopwatch started() {
        return new Stopwatch(System.nanoTime());
    }

    public long nanos() {
        return System.nanoTime() - start;
    }

    /** Reads a clock that all JVMs of a machine share; its origin is arbitrary. */
    public static long machineNanos() {
        return System.nanoTime();
    }

    /** Waits without using a processor, because a busy one would be taken from the contestants. */
    public static void rest(long nanos) {
        Stopwatch watch = started();
        for (long left = nanos; left > 0; left = nanos - watch.nanos()) {
            LockSupport.parkNanos(left);
        }
    }
}
