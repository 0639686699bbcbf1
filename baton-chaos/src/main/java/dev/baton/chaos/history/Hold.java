package dev.baton.chaos.history;

import dev.baton.tck.history.Portion;

/**
 * One hold as its holder saw it. All times are of {@link HostTime}.
 *
 * <p>A holder believes for certain from {@code firstNanos} to {@code lastNanos}: between the return of its first check
 * that said "held" and the call of its last one. If it checked once or died early, the second lies before the first,
 * and no belief is certain.
 *
 * @param client the number of its JVM; a JVM that is started again has a new number
 * @param number counts the holds of a JVM
 * @param name the lock
 * @param token the fencing token
 * @param way how it was asked for
 * @param askedNanos when it was asked for
 * @param firstNanos when the first check returned
 * @param lastNanos when the last check that said "held" was called; {@code askedNanos} if there is none
 * @param goneNanos when the release had returned; {@link #NEVER} if that is not known
 * @param recordedNanos when its holder wrote down its end, after which it does nothing more; {@link #NEVER} if it died
 * @param end how it ended
 * @param work what it did at the two witnesses
 * @param portion how much of the name it took
 */
public record Hold(
        int client,
        long number,
        String name,
        long token,
        String way,
        long askedNanos,
        long firstNanos,
        long lastNanos,
        long goneNanos,
        long recordedNanos,
        End end,
        Work work,
        Portion portion) {
    /** Later than all other times. */
    public static final long NEVER = Long.MAX_VALUE;

    /** How a hold ended, as its holder knows. */
    public enum End {
        /** The holder released it. */
        RELEASED,
        /** A writer became a reader, which is a hold of its own. */
        DOWNGRADED,
        /** The holder found it over when it released it, or was told before. */
        LOST,
        /** The holder does not know: the release failed. */
        UNKNOWN,
        /** The holder's process ended before its release returned. */
        DIED
    }

    /**
     * What a holder did at the witnesses.
     *
     * @param fence what the fenced register said
     * @param read the value of the plain counter before
     * @param wrote the value that it wrote; who may not be alone writes nothing, and reads once more
     * @param sure whether the holder still held afterwards
     */
    public record Work(Fence fence, long read, long wrote, boolean sure) {
        /** Nothing is known to have been done. */
        public static final Work NONE = new Work(Fence.NONE, -1, -1, false);
    }

    /** The answer of the fenced register. */
    public enum Fence {
        /** It accepted the token. */
        ACCEPTED,
        /** It refused the token, because it knows a newer one, and the holder believed before and after. */
        REFUSED_WHILE_HELD,
        /** It refused the token of a holder that did not hold any more. */
        REFUSED,
        /** It was not asked. */
        NONE
    }

    /** Creates a hold of a lock. */
    public Hold(
            int client,
            long number,
            String name,
            long token,
            String way,
            long askedNanos,
            long firstNanos,
            long lastNanos,
            long goneNanos,
            long recordedNanos,
            End end,
            Work work) {
        this(
                client,
                number,
                name,
                token,
                way,
                askedNanos,
                firstNanos,
                lastNanos,
                goneNanos,
                recordedNanos,
                end,
                work,
                Portion.LOCK);
    }

    /** Whether the holder is known to have believed for some time. */
    public boolean isCertain() {
        return firstNanos <= lastNanos;
    }

    @Override
    public String toString() {
        return "hold " + number + " of client " + client + " (token " + token + ", " + way
                + (portion.equals(Portion.LOCK) ? "" : ", " + portion) + ")";
    }
}
