package dev.baton.redis;

import dev.baton.spi.Heartbeat;
import dev.baton.spi.StoreFailure;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.stream.LongStream;
import org.jspecify.annotations.Nullable;

/**
 * One hold in a heartbeat to the members of a quorum, and what they answer. For the thread that sends the heartbeat.
 */
final class QuorumBeat {
    /** Where a member's answer for this hold is. */
    private record Part(Seat seat, Asked<List<Heartbeat.HoldReply>> asked, int index) {}

    private final Quorum quorum;
    private final Heartbeat.Hold hold;
    private final @Nullable QuorumAttempt attempt;
    private final List<Part> parts = new ArrayList<>();

    /**
     * Creates it.
     *
     * @param attempt the client's; null if it has no such hold
     */
    QuorumBeat(Quorum quorum, Heartbeat.Hold hold, @Nullable QuorumAttempt attempt) {
        this.quorum = quorum;
        this.hold = hold;
        this.attempt = attempt;
    }

    /** Returns the hold's seat at a member; null if the member has no hold, as far as is known. */
    @Nullable
    Seat seatAt(QuorumMember member) {
        return attempt == null
                ? null
                : attempt.seats().stream()
                        .filter(seat -> seat.member() == member && seat.token() > Seat.NONE)
                        .findFirst()
                        .orElse(null);
    }

    /** Returns the hold as the members' heartbeats have it. */
    Heartbeat.Hold hold() {
        return hold;
    }

    @Nullable
    QuorumAttempt attempt() {
        return attempt;
    }

    /** Records in which call to its member a seat is. */
    void isIn(Seat seat, Asked<List<Heartbeat.HoldReply>> asked, int index) {
        parts.add(new Part(seat, asked, index));
    }

    /** Returns what the members' answers make of it so far; {@link Heartbeat.AskAgain} if too few have answered. */
    Heartbeat.HoldReply outcome() {
        if (attempt == null) {
            return new Heartbeat.Lost(Heartbeat.Reason.EXPIRED);
        }
        List<Heartbeat.HoldReply> replies =
                parts.stream().map(QuorumBeat::reply).filter(Objects::nonNull).toList();
        LongStream lives = replies.stream()
                .filter(Heartbeat.Renewed.class::isInstance)
                .mapToLong(reply -> ((Heartbeat.Renewed) reply).deadlineMicros());
        long life = quorum.ofMajority(lives);
        if (life > 0) {
            return new Heartbeat.Renewed(life, false);
        }
        long lost = replies.stream().filter(Heartbeat.Lost.class::isInstance).count();
        boolean mayBeHeld = quorum.isMajority(parts.size() - lost);
        if (mayBeHeld) {
            return new Heartbeat.AskAgain();
        }
        boolean revoked = replies.contains(new Heartbeat.Lost(Heartbeat.Reason.REVOKED));
        return new Heartbeat.Lost(revoked ? Heartbeat.Reason.REVOKED : Heartbeat.Reason.EXPIRED);
    }

    private static Heartbeat.@Nullable HoldReply reply(Part part) {
        List<Heartbeat.HoldReply> answered = part.asked().answerOrNull();
        return answered == null ? null : answered.get(part.index());
    }

    /** Returns why a member did not answer; null if all did, or may still do so. */
    @Nullable
    StoreFailure failure() {
        return parts.stream()
                .map(part -> part.asked().failure())
                .filter(Objects::nonNull)
                .findFirst()
                .orElse(null);
    }

    boolean isAnswered() {
        return parts.stream().allMatch(part -> part.asked().isDone());
    }

    /** Asks members again that have no hold, while a majority has it, and it is renewed: it would live longer there otherwise. */
    void heal() {
        if (attempt == null || !hold.extend()) {
            return;
        }
        for (Seat seat : attempt.seats()) {
            boolean isMissing = seat.token() == Seat.NONE
                    || parts.stream()
                            .anyMatch(part -> part.seat() == seat
                                    && new Heartbeat.Lost(Heartbeat.Reason.EXPIRED).equals(reply(part)));
            if (isMissing && seat.member().isStarted()) {
                attempt.heal(seat, hold);
            }
        }
    }
}
