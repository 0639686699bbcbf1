package dev.baton.chaos.fault;

import java.time.Duration;

/**
 * A fault that happened.
 *
 * @param fault which
 * @param where the client or the server
 * @param beganNanos when, of this machine's monotonic clock
 * @param endedNanos when it had been undone
 * @param effects how often it had an effect
 */
public record Happened(Fault fault, String where, long beganNanos, long endedNanos, long effects) {
    /** Whether it went on at any time between two times. */
    public boolean overlaps(long fromNanos, long toNanos) {
        return beganNanos <= toNanos && endedNanos >= fromNanos;
    }

    /** Returns how long it took, with its undoing. */
    public Duration length() {
        return Duration.ofNanos(endedNanos - beganNanos);
    }
}
