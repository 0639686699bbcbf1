package dev.baton.redis;

import dev.baton.spi.Acquire;
import dev.baton.spi.Heartbeat;
import dev.baton.spi.Resource;
import dev.baton.spi.Stamp;
import dev.baton.spi.StoreFailure;
import dev.baton.spi.StoreFailure.Effect;
import dev.baton.spi.StoreFailure.Reason;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Consumer;
import java.util.function.LongPredicate;
import java.util.function.Predicate;
import java.util.stream.Collectors;

/**
 * One attempt of a client at the members of a quorum, and the hold that it may get.
 *
 * <p>A hold counts when a majority has it with one token. All members are asked at once, with the token that the client
 * proposes; each takes it, or the next one if it has given a greater one. If these differ, the greatest becomes the hold's token,
 * and is written to a majority before a caller believes in the hold: any later majority has a member that knows it, so that a
 * later token is greater. That is the second phase of the register of Attiya, Bar-Noy and Dolev (Sharing Memory Robustly in
 * Message-Passing Systems, 1995).
 *
 * <p>Thread-safe. Nothing here waits for an answer.
 */
final class QuorumAttempt {
    /** How far the attempt is. */
    enum State {
        /** Too few members have answered. */
        OPEN,
        /** A majority has the hold, with one token. */
        HELD,
        /** No majority can grant it any more. */
        REFUSED,
        /** It was ended from outside. */
        ENDED
    }

    private final ReentrantLock lock = new ReentrantLock();
    private final Quorum quorum;
    private final Acquire command;
    private final Ballot ballot;
    private List<Seat> seats = List.of();
    private boolean ended;

    /** The token on which a majority is to agree; 0 as long as no majority has the hold. */
    private long token;

    QuorumAttempt(Quorum quorum, String client, Acquire command) {
        this.quorum = quorum;
        this.command = command;
        this.ballot = new Ballot(client, command);
    }

    /**
     * Asks all members, unless the attempt has been ended.
     *
     * @param proposed the token that the hold shall have
     */
    void ask(List<QuorumMember> members, long proposed) {
        lock.lock();
        try {
            if (!ended) {
                seats = members.stream()
                        .map(member -> new Seat(member, ballot, command, proposed))
                        .toList();
            }
        } finally {
            lock.unlock();
        }
    }

    /** Looks at the answers, and has tokens raised where a majority needs that. */
    State look() {
        lock.lock();
        try {
            if (ended) {
                return State.ENDED;
            }
            List<Vote> votes = seats.stream().map(Vote::of).toList();
            List<Vote> granted = votes.stream().filter(Vote::counts).toList();
            if (token == 0 && quorum.isMajority(granted.size())) {
                token = granted.stream().mapToLong(Vote::token).max().orElseThrow();
            }
            boolean raises = raise(granted);
            if (quorum.isMajority(granted.stream().filter(this::isAgreed).count())) {
                return State.HELD;
            }
            long possible = votes.stream().filter(this::isPossible).count();
            // A refusal, too, needs a majority: a member that answers sooner than the others decides nothing.
            boolean mayChange =
                    quorum.isMajority(possible) || !quorum.isMajority(replies().size());
            return mayChange && (raises || votes.stream().anyMatch(vote -> !vote.answered()))
                    ? State.OPEN
                    : State.REFUSED;
        } finally {
            lock.unlock();
        }
    }

    /**
     * The state of a seat at one moment: an answer that comes while the votes are counted is for the next count.
     *
     * @param answered whether the token is the last word
     * @param raised whether the member was asked to raise it
     */
    private record Vote(Seat seat, boolean answered, boolean raised, long token, boolean counts) {
        static Vote of(Seat seat) {
            boolean answered = seat.isAnswered();
            boolean raised = seat.isRaised();
            long token = seat.token();
            return new Vote(seat, answered, raised, token, token > Seat.NONE && !seat.isDoubted());
        }
    }

    private boolean isAgreed(Vote vote) {
        return token > 0 && vote.token() == token;
    }

    private boolean isPossible(Vote vote) {
        return vote.token() == Seat.UNKNOWN
                || (vote.counts() && (token == 0 || isAgreed(vote) || (vote.token() < token && !vote.raised())));
    }

    /** Has the token raised where a member gave a smaller one; returns whether it has asked for that. */
    private boolean raise(List<Vote> granted) {
        List<Vote> smaller = granted.stream()
                .filter(vote -> vote.token() < token && !vote.raised())
                .toList();
        smaller.forEach(vote -> vote.seat().raise(command, token));
        return !smaller.isEmpty();
    }

    private long count(LongPredicate token) {
        return seats().stream().mapToLong(Seat::token).filter(token).count();
    }

    /** Returns whether it asks for this resource. */
    boolean isOf(Resource resource) {
        return command.resource().equals(resource);
    }

    /** Returns the token of the hold, when it is held. */
    long token() {
        lock.lock();
        try {
            return token;
        } finally {
            lock.unlock();
        }
    }

    /** Returns how long the hold lives from when the members were asked: a majority has it for so long. */
    long lifeMicros() {
        long agreed = token();
        return quorum.ofMajority(
                seats().stream().filter(seat -> seat.token() == agreed).mapToLong(Seat::lifeMicros));
    }

    /** Returns the seats; none before the members were asked. */
    List<Seat> seats() {
        lock.lock();
        try {
            return seats;
        } finally {
            lock.unlock();
        }
    }

    /**
     * Returns whether a refused attempt may have met others that ask at the same time, of which none gets a majority: members
     * have granted it, or refuse it for different holders.
     */
    boolean isSplit() {
        Map<String, Long> votes = new HashMap<>();
        boolean others = false;
        for (Acquire.Reply reply : replies()) {
            if (reply instanceof Acquire.Held other) {
                other.holders().forEach(holder -> votes.merge(Ballot.attempt(holder), 1L, Long::sum));
                others |= !other.holders().isEmpty();
            }
        }
        return others && votes.values().stream().noneMatch(quorum::isMajority);
    }

    // ---- a refused attempt ----------------------------------------------------------------------------------------

    /** Returns what refused it. */
    Acquire.Reply refusal(Stamp stamp) throws StoreFailure {
        List<Acquire.Reply> replies = replies();
        if (!quorum.isMajority(replies.size())) {
            throw unanswered();
        }
        for (Acquire.Reply reply : replies) {
            if (reply instanceof Acquire.Mismatch other) {
                return new Acquire.Mismatch(stamp, other.kind(), other.capacity());
            }
        }
        if (has(replies, Acquire.Held.class)) {
            return held(stamp, replies);
        }
        if (has(replies, Acquire.Recovering.class) || seats().stream().anyMatch(Seat::isDoubted)) {
            return new Acquire.Recovering(new Stamp(stamp.runId(), stamp.nowMicros(), Math.max(1, soonest())));
        }
        if (has(replies, Acquire.Stale.class)) {
            return new Acquire.Stale(stamp);
        }
        throw unanswered();
    }

    private List<Acquire.Reply> replies() {
        return seats().stream().map(Seat::reply).filter(Objects::nonNull).collect(Collectors.toList());
    }

    private static boolean has(List<Acquire.Reply> replies, Class<? extends Acquire.Reply> kind) {
        return replies.stream().anyMatch(kind::isInstance);
    }

    private Acquire.Held held(Stamp stamp, List<Acquire.Reply> replies) {
        List<String> holders = new ArrayList<>();
        for (Acquire.Reply reply : replies) {
            if (holders.isEmpty() && reply instanceof Acquire.Held other) {
                other.holders().forEach(holder -> holders.add(Ballot.without(holder)));
            }
        }
        return new Acquire.Held(stamp, holders, soonest(), 0);
    }

    /** Returns when a majority may be free, if no client renews anything. */
    private long soonest() {
        long[] rests = seats().stream()
                .filter(seat -> seat.reply() != null)
                .mapToLong(QuorumAttempt::restMicros)
                .toArray();
        return quorum.soonestOfMajority(
                Arrays.stream(rests), Arrays.stream(rests).max().orElse(0));
    }

    private static long restMicros(Seat seat) {
        Acquire.Reply reply = seat.reply();
        if (reply instanceof Acquire.Held other) {
            return other.remainingMicros();
        }
        if (seat.isDoubted()) {
            return seat.member().doubtMicros();
        }
        return reply instanceof Acquire.Recovering ? reply.stamp().graceMicros() : 0;
    }

    /** Returns the failure of an attempt that too few members have answered. */
    StoreFailure unanswered() {
        long answered = replies().size();
        boolean isNothing = count(each -> each != Seat.NONE) == 0;
        String why = seats().stream()
                .map(Seat::trouble)
                .filter(Objects::nonNull)
                .distinct()
                .collect(Collectors.joining("; "));
        return new StoreFailure(
                isNothing ? Effect.NONE : Effect.UNKNOWN,
                Reason.UNREACHABLE,
                quorum.tooFew(answered) + (why.isEmpty() ? "" : ": " + why),
                null);
    }

    // ---- the end --------------------------------------------------------------------------------------------------

    /**
     * Has all members end their holds of it. Can be repeated, for members that did not answer.
     *
     * @param keepMicros for how long they grant the name to no client afterwards
     */
    void end(long keepMicros) {
        end(seat -> seat.end(command.resource(), keepMicros));
    }

    /** Has all members undo their parts of it, as if it had never been granted. Can be repeated. */
    void cancel() {
        end(seat -> seat.cancel(command.resource()));
    }

    /**
     * Has all members undo a refused attempt. A release costs them less than a cancel, but would begin the lock-delay of a hold that
     * has expired meanwhile.
     */
    void giveBack() {
        if (command.lockDelayMicros() > 0) {
            cancel();
        } else {
            end(0);
        }
    }

    private void end(Consumer<Seat> how) {
        lock.lock();
        try {
            ended = true;
            seats.forEach(how);
        } finally {
            lock.unlock();
        }
    }

    /** Returns how many members were asked to end it and have answers like this. */
    long countEnds(Predicate<Asked<Boolean>> answer) {
        return seats().stream()
                .map(Seat::ended)
                .filter(end -> end != null && answer.test(end))
                .count();
    }

    // ---- while it is held -----------------------------------------------------------------------------------------

    /** Asks a member again that has no hold, while a majority has it. */
    void heal(Seat seat, Heartbeat.Hold hold) {
        lock.lock();
        try {
            if (!ended && seat.isAnswered()) {
                seat.askAgain(
                        new Acquire(
                                hold.resource(),
                                command.attempt(),
                                hold.weight(),
                                hold.leaseMicros(),
                                hold.lockDelayMicros(),
                                hold.description(),
                                Acquire.Mode.TRY,
                                0),
                        token);
            }
        } finally {
            lock.unlock();
        }
    }
}
