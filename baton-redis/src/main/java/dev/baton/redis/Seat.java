package dev.baton.redis;

import dev.baton.spi.Acquire;
import dev.baton.spi.Cancel;
import dev.baton.spi.CommandNumber;
import dev.baton.spi.Heartbeat;
import dev.baton.spi.Release;
import dev.baton.spi.Resource;
import dev.baton.spi.StoreFailure;
import org.jspecify.annotations.Nullable;

/**
 * What became of an attempt at one member of a quorum. Changed under the lock of {@link QuorumAttempt}; any thread may look at
 * it.
 */
final class Seat {
    /** The token of a seat that has no hold. */
    static final long NONE = 0;

    /** The token of a seat whose member has not answered, so that it may have a hold. */
    static final long UNKNOWN = -1;

    private final QuorumMember member;
    private final Ballot ballot;
    private volatile CommandNumber number;
    private volatile Asked<Acquire.Reply> asked;
    private volatile @Nullable Asked<Acquire.Reply> raised;
    private volatile @Nullable Asked<Boolean> end;

    /** Asks the member for a hold. */
    Seat(QuorumMember member, Ballot ballot, Acquire command, long leastToken) {
        this.member = member;
        this.ballot = ballot;
        this.number = member.number(command.attempt());
        this.asked = member.acquire(numbered(command), leastToken);
    }

    /** Returns the command as this member gets it: without a queue, and with a number of its own. */
    private Acquire numbered(Acquire command) {
        return new Acquire(
                command.resource(),
                number,
                command.weight(),
                command.leaseMicros(),
                command.lockDelayMicros(),
                ballot.on(command.description()),
                Acquire.Mode.TRY,
                0);
    }

    /** Asks again, with a new number, after the member had no hold. */
    void askAgain(Acquire command, long leastToken) {
        number = member.number();
        raised = null;
        asked = member.acquire(numbered(command), leastToken);
    }

    /** Has the member raise the token of its hold. */
    void raise(Acquire command, long leastToken) {
        raised = member.acquire(numbered(command), leastToken);
    }

    QuorumMember member() {
        return member;
    }

    /** Returns whether nothing is on its way to the member. */
    boolean isAnswered() {
        Asked<Acquire.Reply> raising = raised;
        return asked.isDone() && (raising == null || raising.isDone());
    }

    boolean isRaised() {
        return raised != null;
    }

    /** Returns the token of the hold at the member, as far as it is known; {@link #NONE} or {@link #UNKNOWN}. */
    long token() {
        Asked<Acquire.Reply> raising = raised;
        long first = token(asked);
        if (first <= NONE || raising == null) {
            return first;
        }
        // If its number was used up meanwhile, so is the hold.
        return raising.isDone() && wasNeverSent(raising) ? first : token(raising);
    }

    private static long token(Asked<Acquire.Reply> asked) {
        Acquire.Reply reply = asked.answerOrNull();
        if (reply != null) {
            return reply instanceof Acquire.Granted granted ? granted.token() : NONE;
        }
        return asked.isDone() && wasNeverSent(asked) ? NONE : UNKNOWN;
    }

    private static boolean wasNeverSent(Asked<Acquire.Reply> asked) {
        StoreFailure failure = asked.failure();
        return failure != null && failure.effect() == StoreFailure.Effect.NONE;
    }

    /** Returns whether the member has a hold that does not count: its clock jumped, so it may have ended another one too early. */
    boolean isDoubted() {
        return token() > NONE && member.doubtMicros() > 0;
    }

    /** Returns for how long the hold was to live when the member granted it; 0 without a hold. */
    long lifeMicros() {
        return asked.answerOrNull() instanceof Acquire.Granted granted
                ? granted.deadlineMicros() - granted.stamp().nowMicros()
                : 0;
    }

    /** Returns the answer to the first command; null if there is none. */
    Acquire.@Nullable Reply reply() {
        return asked.answerOrNull();
    }

    /** Returns why the member did not answer; null if it did, or may still do so. */
    @Nullable
    String trouble() {
        StoreFailure failure = asked.failure();
        return failure == null ? null : failure.getMessage();
    }

    /** Returns the hold as this member knows it. */
    Heartbeat.Hold translated(Heartbeat.Hold hold) {
        return new Heartbeat.Hold(
                hold.resource(),
                number.value(),
                token(),
                hold.weight(),
                hold.leaseMicros(),
                hold.lockDelayMicros(),
                hold.extend(),
                ballot.on(hold.description()),
                hold.restorable());
    }

    /**
     * Ends the hold that the member has for the attempt, unless that is under way or done.
     *
     * @param keepMicros for how long the member grants the name to no client afterwards
     */
    void end(Resource resource, long keepMicros) {
        if (isEnding()) {
            return;
        }
        long token = token();
        end = token > NONE
                ? member.release(new Release(resource, number.value(), token, member.number(), false, keepMicros))
                : undone(resource);
    }

    /**
     * Undoes the attempt at the member, unless its end is under way or done. No lock-delay follows, also if the hold
     * has expired meanwhile: a caller that cancels has not used it.
     */
    void cancel(Resource resource) {
        if (!isEnding()) {
            end = undone(resource);
        }
    }

    private boolean isEnding() {
        Asked<Boolean> before = end;
        return before != null && before.failure() == null;
    }

    private Asked<Boolean> undone(Resource resource) {
        long token = token();
        boolean isNothing = token == NONE || (token == UNKNOWN && raised == null && asked.withdraw());
        return isNothing ? Asked.answered(false) : member.cancel(new Cancel(resource, number.value(), member.number()));
    }

    /** Returns the question whether the member has ended a hold; null if it was not asked. */
    @Nullable
    Asked<Boolean> ended() {
        return end;
    }
}
