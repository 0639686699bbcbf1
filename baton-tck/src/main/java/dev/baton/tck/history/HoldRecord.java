package dev.baton.tck.history;

/**
 * One hold as its holder saw it. All holders use the same monotonic clock.
 *
 * @param holder the holder's name in messages
 * @param token its fencing token
 * @param askedNanos when the holder asked for it
 * @param gotNanos when the holder had it
 * @param letGoNanos the last time at which the holder certainly had it: when it began to release it, or stopped believing
 *     in it; before {@code gotNanos} if the holder was never certain
 * @param goneNanos when the release had returned; {@link #NEVER} if the holder died or lost it
 * @param portion how much it took
 */
public record HoldRecord(
        String holder, long token, long askedNanos, long gotNanos, long letGoNanos, long goneNanos, Portion portion) {
    /** Later than all other times. */
    public static final long NEVER = Long.MAX_VALUE;

    /** Rejects times that are out of order. */
    public HoldRecord {
        if (askedNanos > gotNanos || askedNanos > letGoNanos || letGoNanos > goneNanos) {
            throw new IllegalArgumentException("times of " + holder + " run backwards");
        }
    }

    /** Creates a hold of a lock. */
    public HoldRecord(String holder, long token, long askedNanos, long gotNanos, long letGoNanos, long goneNanos) {
        this(holder, token, askedNanos, gotNanos, letGoNanos, goneNanos, Portion.LOCK);
    }
}
