package dev.baton.internal.engine;

/** A client's two clocks: one that only grows, and one that sees the machine's sleep. */
public interface Clock {
    /** Monotonic nanoseconds from an arbitrary origin. */
    long nanos();

    /** Wall-clock milliseconds. */
    long wallMillis();

    /** Whether it stands still until a test moves it: waiting for a time then means to look again and again. */
    default boolean isMovedByHand() {
        return false;
    }
}
