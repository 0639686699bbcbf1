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
 * @param damagedNanos since when it did damage
 */
public record Happened(Fault fault, String where, long beganNanos, long endedNanos, long effects, long damagedNanos) {
    /** Describes a fault that did its damage from the beginning. */
    public Happened(Fault fault, String where, long beganNanos, long endedNanos, long effects) {
        this(fault, where, beganNanos, endedNanos, effects, beganNanos);
    }

    /** Whether it is an excuse for a promise that was not kept between two times. */
    public boolean excuses(String promise, long fromNanos, long toNanos) {
        return fault.damage().excuses(promise) && damagedNanos <= toNanos && endedNanos >= fromNanos;
    }

    /** Whether it went on at any time between two times. */
    public boolean overlaps(long fromNanos, long toNanos) {
        return beganNanos <= toNanos && endedNanos >= fromNanos;
    }

    /** Returns what happened, for a line of progress. */
    public String toLine() {
        return "%-20s %-24s %6d effects in %4d ms".formatted(fault.id(), where, effects, length().toMillis());
    }

    /** Returns how long it took, with its undoing. */
    public Duration length() {
        return Duration.ofNanos(endedNanos - beganNanos);
    }
}
