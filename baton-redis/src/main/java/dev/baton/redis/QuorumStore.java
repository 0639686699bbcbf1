package dev.baton.redis;

import dev.baton.internal.store.FinishedAttempts;
import dev.baton.spi.Acquire;
import dev.baton.spi.Cancel;
import dev.baton.spi.Capabilities;
import dev.baton.spi.CommandNumber;
import dev.baton.spi.Deadline;
import dev.baton.spi.Grace;
import dev.baton.spi.Heartbeat;
import dev.baton.spi.Kind;
import dev.baton.spi.Protocol;
import dev.baton.spi.Release;
import dev.baton.spi.Resource;
import dev.baton.spi.ResourceView;
import dev.baton.spi.Stamp;
import dev.baton.spi.Store;
import dev.baton.spi.StoreFailure;
import dev.baton.spi.StoreFailure.Effect;
import dev.baton.spi.StoreFailure.Reason;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SplittableRandom;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicLongArray;
import java.util.function.BooleanSupplier;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/**
 * Locks on a majority of independent Redis servers: the algorithm Redlock, with what it lacks. A hold's life is the one that a
 * majority still has, by the members' own clocks; its token is greater than all before it; a member that may have forgotten its
 * locks grants nothing for a grace period; and a heartbeat gives a hold back to members that lack it.
 *
 * <p>There is no queue: a client that is refused undoes what it got, and the engine asks again after a random pause.
 *
 * <p>Thread-safe.
 */
final class QuorumStore implements Store {
    static final Capabilities CAPABILITIES = Capabilities.builder("Redis quorum", Capabilities.Reach.NETWORK)
            .reclaim(true)
            .tokens(Capabilities.TokenOrder.HYBRID)
            .build();

    /** A thread that waits for what another thread has sent is not woken. */
    private static final long STEP_NANOS = 5_000_000;

    /** How long to wait at least for the members that are not needed, where their answers are of use. */
    private static final long PATIENCE_NANOS = 20_000_000;

    /** How long to wait for the last answers when closing. */
    private static final long CLOSE_NANOS = 200_000_000;

    /** How often an attempt is repeated when the members' votes are split, before its caller is told so. */
    private static final int MOST_ROUNDS = 8;

    /** The longest pause before the first repetition is twice this. */
    private static final long PAUSE_NANOS = 500_000;

    private final QuorumMembers members;
    private final String client;
    private final Credentials credentials;
    private final Quorum quorum;
    private final LongSupplier micros;
    private final FinishedAttempts finished = new FinishedAttempts();
    private final Map<Long, QuorumAttempt> attempts = new ConcurrentHashMap<>();
    /** The greatest token of each bucket that this client knows. */
    private final AtomicLongArray greatestTokens = new AtomicLongArray(Protocol.BUCKETS);

    /**
     * Creates a store on members that are connected.
     *
     * @param micros the clock for stamps, and for the tokens that this client proposes
     */
    QuorumStore(QuorumMembers members, String client, Credentials credentials, LongSupplier micros) {
        this.members = members;
        this.client = client;
        this.credentials = credentials;
        this.quorum = members.quorum();
        this.micros = micros;
    }

    @Override
    public Capabilities capabilities() {
        return CAPABILITIES;
    }

    @Override
    public List<String> warnings() {
        return members.warnings();
    }

    @Override
    public String namespaceId() {
        return members.namespaceId();
    }

    /** Lives count from when the members were asked, so this is taken before. */
    private Stamp stamp() {
        return new Stamp(members.namespaceId(), micros.getAsLong(), 0);
    }

    // ---- holds ----------------------------------------------------------------------------------------------------

    @Override
    public Acquire.Reply acquire(Acquire command, long timeoutNanos) throws StoreFailure {
        requireServed(command);
        Deadline deadline = Deadline.in(timeoutNanos);
        for (int round = 1; ; round++) {
            QuorumAttempt attempt = new QuorumAttempt(quorum, client, command);
            Acquire.Reply reply = acquire(command, attempt, deadline);
            if (!(reply instanceof Acquire.Held) || round == MOST_ROUNDS || !attempt.isSplit()) {
                return reply;
            }
            // Perhaps no client has it. The grants of this one are being given back.
            boolean unused = await(() -> false, deadline.orIn(pauseNanos(command, round)));
        }
    }

    /** Longer from round to round, and another one for each client, so that one of them is alone. */
    private long pauseNanos(Acquire command, int round) {
        long seed = 31L * client.hashCode() + command.attempt().value();
        return new SplittableRandom(31 * seed + round).nextLong(PAUSE_NANOS << Math.min(round, 4));
    }

    private Acquire.Reply acquire(Acquire command, QuorumAttempt attempt, Deadline deadline) throws StoreFailure {
        Stamp stamp = stamp();
        long number = command.attempt().value();
        attempts.put(number, attempt);
        if (finished.contains(command.resource().name(), number)) {
            // A cancel that came later finds the attempt.
            attempts.remove(number, attempt);
            return new Acquire.Stale(stamp);
        }
        attempt.ask(members.all(), proposedToken(command, stamp));
        boolean unused = await(() -> attempt.look() != QuorumAttempt.State.OPEN, deadline);
        try {
            return outcome(command, attempt, stamp);
        } catch (StoreFailure failure) {
            if (failure.effect() == Effect.NONE) {
                attempts.remove(number, attempt);
            }
            // Otherwise the engine cancels the attempt.
            throw failure;
        }
    }

    private Acquire.Reply outcome(Acquire command, QuorumAttempt attempt, Stamp stamp) throws StoreFailure {
        return switch (attempt.look()) {
            case HELD -> granted(command, attempt, stamp);
            case REFUSED -> {
                Acquire.Reply refusal = attempt.refusal(stamp);
                attempt.giveBack();
                attempts.remove(command.attempt().value(), attempt);
                yield refusal;
            }
            case OPEN -> throw attempt.unanswered();
            case ENDED -> new Acquire.Stale(stamp);
        };
    }

    private static void requireServed(Acquire command) throws StoreFailure {
        if (command.resource().kind() != Kind.LOCK) {
            throw new StoreFailure(
                    Effect.NONE,
                    Reason.UNFIT,
                    "\"" + command.resource().name() + "\" cannot be a "
                            + command.resource().kind() + " on a Redis quorum, which has only locks: members that are"
                            + " counted one by one could grant more permits than there are",
                    null);
        }
    }

    private long proposedToken(Acquire command, Stamp stamp) {
        long known = greatestTokens.get(Protocol.bucketOf(command.resource().name()));
        return Math.min(Protocol.MAX_STORE_TOKEN, Protocol.nextToken(known, stamp.nowMicros()));
    }

    private Acquire.Reply granted(Acquire command, QuorumAttempt attempt, Stamp stamp) {
        long token = attempt.token();
        greatestTokens.accumulateAndGet(Protocol.bucketOf(command.resource().name()), token, Math::max);
        return new Acquire.Granted(stamp, token, stamp.nowMicros() + attempt.lifeMicros());
    }

    /** Has the members end the rests of a hold that has expired, and does not wait for them. */
    private void undo(long number, QuorumAttempt attempt) {
        attempt.end(0);
        attempts.remove(number, attempt);
    }

    /** Returns an attempt for this resource whose hold has this token; null if there is none. */
    private @Nullable QuorumAttempt heldBy(long number, long token, Resource resource) {
        QuorumAttempt attempt = attempts.get(number);
        return attempt != null && attempt.isOf(resource) && attempt.token() == token ? attempt : null;
    }

    @Override
    public Release.Reply release(Release command, long timeoutNanos) throws StoreFailure {
        return releaseAll(List.of(command), timeoutNanos).get(0);
    }

    @Override
    public List<Release.Reply> releaseAll(List<Release> commands, long timeoutNanos) throws StoreFailure {
        Deadline deadline = Deadline.in(timeoutNanos);
        List<@Nullable QuorumAttempt> ending = new ArrayList<>();
        for (Release command : commands) {
            QuorumAttempt attempt = heldBy(command.attempt(), command.token(), command.resource());
            if (attempt != null) {
                attempt.end(command.keepMicros());
            }
            ending.add(attempt);
        }
        List<Release.Reply> replies = new ArrayList<>();
        StoreFailure failed = null;
        for (int i = 0; i < commands.size(); i++) {
            try {
                replies.add(new Release.Reply(stamp(), isReleased(commands.get(i), ending.get(i), deadline)));
            } catch (StoreFailure failure) {
                failed = failure;
            }
        }
        if (failed != null) {
            throw failed;
        }
        return replies;
    }

    private boolean isReleased(Release command, @Nullable QuorumAttempt attempt, Deadline deadline)
            throws StoreFailure {
        if (attempt == null || attempts.get(command.attempt()) != attempt) {
            // No such hold, or another release or a cancel has ended it.
            return false;
        }
        BooleanSupplier isDone = () -> quorum.isMajority(countReleased(attempt)) || !mayBeReleased(attempt);
        boolean unused = await(() -> isDone.getAsBoolean() || !isUnderWay(attempt), deadline);
        if (!isDone.getAsBoolean()) {
            throw unanswered(attempt);
        }
        boolean released = quorum.isMajority(countReleased(attempt));
        finished.add(command.resource().name(), command.attempt());
        attempts.remove(command.attempt(), attempt);
        return released;
    }

    private static long countReleased(QuorumAttempt attempt) {
        return attempt.countEnds(end -> Boolean.TRUE.equals(end.answerOrNull()));
    }

    private boolean mayBeReleased(QuorumAttempt attempt) {
        return quorum.isMajority(attempt.countEnds(end -> !Boolean.FALSE.equals(end.answerOrNull())));
    }

    private static boolean isUnderWay(QuorumAttempt attempt) {
        return attempt.countEnds(end -> !end.isDone()) > 0;
    }

    private static long countAnswered(QuorumAttempt attempt) {
        return attempt.countEnds(end -> end.answerOrNull() != null);
    }

    private StoreFailure unanswered(QuorumAttempt attempt) {
        return new StoreFailure(Effect.UNKNOWN, Reason.UNREACHABLE, quorum.tooFew(countAnswered(attempt)), null);
    }

    @Override
    public Stamp cancel(Cancel command, long timeoutNanos) throws StoreFailure {
        Deadline deadline = Deadline.in(timeoutNanos);
        Stamp stamp = stamp();
        command.number().value();
        finished.add(command.resource().name(), command.attempt());
        QuorumAttempt attempt = attempts.get(command.attempt());
        if (attempt == null || !attempt.isOf(command.resource())) {
            // It never began, and now never will, or everything of it has been ended. The members still advance the
            // name.
            require(
                    members.all().stream()
                            .map(member -> member.cancel(new Cancel(
                                    command.resource(), member.number().value(), member.number())))
                            .toList(),
                    deadline);
            return stamp;
        }
        attempt.cancel();
        awaitMost(() -> quorum.isMajority(countAnswered(attempt)), () -> !isUnderWay(attempt), deadline);
        long never = (long) quorum.members() - attempt.seats().size();
        if (!quorum.isMajority(countAnswered(attempt) + never)) {
            throw unanswered(attempt);
        }
        attempts.remove(command.attempt(), attempt);
        return stamp;
    }

    @Override
    public Heartbeat.Reply heartbeat(Heartbeat command, long timeoutNanos) throws StoreFailure {
        Deadline deadline = Deadline.in(timeoutNanos);
        Stamp stamp = stamp();
        List<QuorumBeat> beats = command.holds().stream()
                .map(hold -> new QuorumBeat(quorum, hold, heldBy(hold.attempt(), hold.token(), hold.resource())))
                .toList();
        boolean asked = false;
        for (QuorumMember member : members.all()) {
            asked |= send(member, beats);
        }
        if (asked) {
            awaitMost(() -> beats.stream().allMatch(QuorumStore::isDecided), () -> areAnswered(beats), deadline);
        } else {
            Stamp unused = ping(deadline.leftNanos());
        }
        return new Heartbeat.Reply(
                stamp,
                replies(beats, stamp),
                command.tickets().stream()
                        .<Heartbeat.TicketReply>map(ticket -> new Heartbeat.Gone())
                        .toList());
    }

    /** Sends a member the holds that it has; returns whether it has any. */
    private static boolean send(QuorumMember member, List<QuorumBeat> beats) {
        // Drawn before any hold is looked at: every release that is sent from now on has a greater number.
        CommandNumber number = member.number();
        number.value();
        List<Seat> seats = new ArrayList<>();
        List<QuorumBeat> these = new ArrayList<>();
        List<Heartbeat.Hold> holds = new ArrayList<>();
        for (QuorumBeat beat : beats) {
            Seat seat = beat.seatAt(member);
            if (seat != null) {
                seats.add(seat);
                these.add(beat);
                holds.add(seat.translated(beat.hold()));
            }
        }
        int at = 0;
        for (Heartbeat part : holds.isEmpty()
                ? List.<Heartbeat>of()
                : Commands.split(new Heartbeat(number, holds, List.of()), false)) {
            Asked<List<Heartbeat.HoldReply>> sent = member.heartbeat(part);
            for (int index = 0; index < part.holds().size(); index++, at++) {
                these.get(at).isIn(seats.get(at), sent, index);
            }
        }
        return !holds.isEmpty();
    }

    private static boolean isDecided(QuorumBeat beat) {
        return !(beat.outcome() instanceof Heartbeat.AskAgain);
    }

    private static boolean areAnswered(List<QuorumBeat> beats) {
        return beats.stream().allMatch(QuorumBeat::isAnswered);
    }

    private List<Heartbeat.HoldReply> replies(List<QuorumBeat> beats, Stamp stamp) throws StoreFailure {
        if (!beats.isEmpty() && beats.stream().noneMatch(QuorumStore::isDecided)) {
            requireAnswers(beats);
        }
        List<Heartbeat.HoldReply> replies = new ArrayList<>();
        for (QuorumBeat beat : beats) {
            Heartbeat.HoldReply outcome = beat.outcome();
            QuorumAttempt attempt = beat.attempt();
            if (outcome instanceof Heartbeat.Renewed renewed) {
                beat.heal();
                replies.add(new Heartbeat.Renewed(stamp.nowMicros() + renewed.deadlineMicros(), false));
                continue;
            }
            // A hold that was taken away is still to be released; of one that expired, a minority may have a rest.
            if (attempt != null && outcome.equals(new Heartbeat.Lost(Heartbeat.Reason.EXPIRED))) {
                finished.add(beat.hold().resource().name(), beat.hold().attempt());
                undo(beat.hold().attempt(), attempt);
            }
            replies.add(outcome);
        }
        return replies;
    }

    private void requireAnswers(List<QuorumBeat> beats) throws StoreFailure {
        for (QuorumBeat beat : beats) {
            StoreFailure failure = beat.failure();
            if (failure != null || !beat.isAnswered()) {
                throw new StoreFailure(
                        Effect.UNKNOWN,
                        Reason.UNREACHABLE,
                        "too few of the " + quorum.members() + " members of the quorum answered, and "
                                + quorum.majority() + " must"
                                + (failure == null ? "" : ": " + failure.getMessage()),
                        failure);
            }
        }
    }

    // ---- waiting --------------------------------------------------------------------------------------------------

    /** Waits until something is so, at most until the deadline; returns whether it is. */
    private static boolean await(BooleanSupplier isSo, Deadline deadline) {
        return Looking.until(isSo, deadline, STEP_NANOS);
    }

    /** Waits until enough members have answered, and then about as long again for the others: their answers are of use. */
    private static void awaitMost(BooleanSupplier enough, BooleanSupplier all, Deadline deadline) {
        long before = deadline.leftNanos();
        if (await(() -> all.getAsBoolean() || enough.getAsBoolean(), deadline)) {
            long took = before - deadline.leftNanos();
            boolean unused = await(all, deadline.orIn(Math.max(PATIENCE_NANOS, took)));
        }
    }

    /** Waits for the answers of most members; fails if these are no majority. */
    private void require(List<Asked<Boolean>> asked, Deadline deadline) throws StoreFailure {
        LongSupplier answered =
                () -> asked.stream().filter(each -> each.answerOrNull() != null).count();
        awaitMost(
                () -> quorum.isMajority(answered.getAsLong()),
                () -> asked.stream().allMatch(Asked::isDone),
                deadline);
        if (!quorum.isMajority(answered.getAsLong())) {
            throw members.unanswered(answered.getAsLong());
        }
    }

    // ---- for operators --------------------------------------------------------------------------------------------

    @Override
    public Stamp ping(long timeoutNanos) throws StoreFailure {
        Deadline deadline = Deadline.in(timeoutNanos);
        Stamp stamp = stamp();
        require(members.all().stream().map(QuorumMember::ping).toList(), deadline);
        return stamp;
    }

    @Override
    public Map<String, String> facts(long timeoutNanos) throws StoreFailure {
        return members.facts(Deadline.in(timeoutNanos));
    }

    @Override
    public Optional<Grace> grace(long timeoutNanos) throws StoreFailure {
        List<Grace> none = new ArrayList<>();
        List<Grace> on = new ArrayList<>();
        members.askEach(Deadline.in(timeoutNanos), (store, nanos) -> {
            Grace grace = store.grace(nanos).orElse(new Grace(0, "", 0));
            (grace.buckets() == 0 ? none : on).add(grace);
        });
        if (quorum.isMajority(none.size())) {
            return Optional.empty();
        }
        on.sort(Comparator.comparingLong(Grace::restMicros));
        int needed = quorum.majority() - none.size();
        return Optional.of(on.get(Math.min(on.size(), needed) - 1));
    }

    @Override
    public Optional<ResourceView> inspect(String name, long timeoutNanos) throws StoreFailure {
        Stamp stamp = stamp();
        List<ResourceView> views = new ArrayList<>();
        members.askEach(
                Deadline.in(timeoutNanos),
                (store, nanos) -> store.inspect(name, nanos).ifPresent(views::add));
        return QuorumViews.merge(quorum, views, stamp);
    }

    @Override
    public List<ResourceView> list(String prefix, String after, int limit, long timeoutNanos) throws StoreFailure {
        Stamp stamp = stamp();
        List<ResourceView> views = new ArrayList<>();
        members.askEach(
                Deadline.in(timeoutNanos), (store, nanos) -> views.addAll(store.list(prefix, after, limit, nanos)));
        List<ResourceView> merged = QuorumViews.mergeAll(quorum, views, stamp);
        return merged.subList(0, Math.min(limit, merged.size()));
    }

    @Override
    public boolean forceRelease(String name, long token, boolean now, long timeoutNanos) throws StoreFailure {
        AtomicLong found = new AtomicLong();
        members.askEach(
                Deadline.in(timeoutNanos),
                (store, nanos) -> found.addAndGet(store.forceRelease(name, token, now, nanos) ? 1 : 0));
        return found.get() > 0;
    }

    @Override
    public void close() {
        // Commands of which a majority was enough may still be on their way to the others.
        boolean unused = await(members::areQuiet, Deadline.in(CLOSE_NANOS));
        credentials.close();
        members.close();
    }
}
