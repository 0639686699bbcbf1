package dev.baton.internal.engine;

/** A client's two clocks: one that only grows, and one that sees the machine's sleep. */
public interface Clock {
    /** Monotonic nanoseconds from an arbitrary origin. */
    long nanos();

    /** Wall-clock milliseconds. */
    long wallMillis();
}
