package dev.baton.tck.history;

/**
 * One hold as its holder saw it, on one monotonic clock for all holders.
 *
 * @param holder for people
 * @param token its fencing token
 * @param askedNanos when it was asked for
 * @param gotNanos when the holder had it
 * @param letGoNanos when the holder began to release it, or stopped believing in it
 * @param goneNanos when the release had returned; {@link #NEVER} if the holder died or lost it
 */
public record HoldRecord(String holder, long token, long askedNanos, long gotNanos, long letGoNanos, long goneNanos) {
    /** Later than everything. */
    public static final long NEVER = Long.MAX_VALUE;

    /** Refuses times that do not follow each other. */
    public HoldRecord {
        if (askedNanos > gotNanos || gotNanos > letGoNanos || letGoNanos > goneNanos) {
            throw new IllegalArgumentException("times of " + holder + " run backwards");
        }
    }
}
