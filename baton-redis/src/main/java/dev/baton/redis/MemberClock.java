package dev.baton.redis;

import java.util.concurrent.locks.ReentrantLock;
import java.util.function.LongSupplier;

/**
 * Watches the clock of a member of a quorum. If it jumps forward, the member ends holds too early, and grants their names to
 * others: so it counts as one that may have forgotten, for a grace period.
 *
 * <p>Each answer has the member's time. The member read its clock after the command was asked for and before the answer was
 * here, so an answer bounds the difference of the two clocks on both sides, however long the network took. A difference
 * that is greater than the bound from earlier answers allows, with the drift of both clocks, is a jump. A jump that is
 * shorter than a round trip is not seen; one in the time before the first answer is not, either.
 *
 * <p>Thread-safe.
 */
final class MemberClock {
    /** The drift between two clocks that is allowed for: a hundredth, as for lives. */
    private static final long DRIFT_PART = 100;

    /** For the resolution of both clocks. */
    private static final long RESOLUTION_MICROS = 1_000;

    private final long graceMicros;
    private final LongSupplier clock;
    private final ReentrantLock lock = new ReentrantLock();
    private boolean known;

    /** The member's clock is ahead of this client's by no more than this at that time. */
    private long mostAheadMicros;

    private long mostAheadAtMicros;
    private volatile long doubtedUntilMicros;

    /**
     * Creates it for a member.
     *
     * @param graceMicros for how long a member counts as one that may have forgotten after its clock has jumped
     * @param clock this client's clock, which never jumps
     */
    MemberClock(long graceMicros, LongSupplier clock) {
        this.graceMicros = graceMicros;
        this.clock = clock;
    }

    /** Returns this client's time. */
    long micros() {
        return clock.getAsLong();
    }

    /**
     * Takes the member's time from an answer.
     *
     * @param askedMicros when the command was asked for, or earlier
     */
    void told(long memberMicros, long askedMicros) {
        told(memberMicros, askedMicros, micros());
    }

    /**
     * Takes the member's time from an answer.
     *
     * @param nowMicros when the answer was here, or later
     */
    void told(long memberMicros, long askedMicros, long nowMicros) {
        lock.lock();
        try {
            long most = mostAheadMicros + Math.max(0, nowMicros - mostAheadAtMicros) / DRIFT_PART;
            boolean jumped = known && memberMicros - nowMicros > most + RESOLUTION_MICROS;
            if (jumped) {
                doubtedUntilMicros = nowMicros + graceMicros;
            }
            long ahead = memberMicros - askedMicros;
            if (!known || jumped || ahead <= most) {
                known = true;
                mostAheadMicros = ahead;
                mostAheadAtMicros = askedMicros;
            }
        } finally {
            lock.unlock();
        }
    }

    /** Returns for how long the member counts as one that may have forgotten; 0 if it does not. */
    long doubtMicros() {
        return Math.max(0, doubtedUntilMicros - micros());
    }
}
