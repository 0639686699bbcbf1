package dev.baton.internal.engine;

/** A client's two clocks: one that never goes back, and one that includes the machine's sleep. */
public interface Clock {
    /** Returns monotonic nanoseconds from an arbitrary origin. */
    long nanos();

    /** Returns wall-clock milliseconds. */
    long wallMillis();

    /** Returns whether it stands still until a test moves it; a wait for a time must then poll the clock. */
    default boolean isMovedByHand() {
        return false;
    }
}
