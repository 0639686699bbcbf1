package dev.baton.redis;

import dev.baton.spi.Acquire;
import dev.baton.spi.Cancel;
import dev.baton.spi.CommandNumber;
import dev.baton.spi.Deadline;
import dev.baton.spi.Heartbeat;
import dev.baton.spi.Release;
import dev.baton.spi.StoreFailure;
import dev.baton.spi.StoreFailure.Effect;
import dev.baton.spi.StoreFailure.Reason;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * One of the servers of a quorum, as a client sees it: it knows nothing of the others, and has numbers of commands of its own.
 * None of its commands waits for an answer.
 *
 * <p>Thread-safe; one thread at a time connects it.
 */
final class QuorumMember implements AutoCloseable {
    /** A member that has not answered for so long gets no new attempts until it answers: they would pile up. */
    private static final long SILENCE_NANOS = TimeUnit.MILLISECONDS.toNanos(500);

    /** A member whose connection broke, or was refused, gets no new attempts for so long. */
    private static final long PAUSE_NANOS = TimeUnit.MILLISECONDS.toNanos(100);

    /** The parts of a member that was reached. */
    record Parts(Node node, RedisStore store) {}

    private final String target;
    private final MemberClock clock;
    private final Dialer dialer;
    private final Function<Dialer.Opener, Parts> maker;
    private final AtomicLong numbers = new AtomicLong();
    private volatile @Nullable Parts parts;
    /** Why it could not be connected; empty if it was not tried, or was reached. */
    private volatile String trouble = "";

    private volatile boolean closed;
    private volatile Deadline pause = Deadline.in(0);

    /** An attempt without an answer, one of the oldest; null if there was none yet. */
    private volatile @Nullable Waiting oldest;

    /** The last command, or one of the last; null if there was none yet. Members answer in the order of the commands. */
    private volatile @Nullable Asked<?> newest;

    private record Waiting(Asked<?> asked, Deadline patience) {}

    /**
     * Creates a member that is not connected.
     *
     * @param clock watches its clock
     * @param maker makes a node and its store, without connections
     */
    QuorumMember(String target, MemberClock clock, Dialer dialer, Function<Dialer.Opener, Parts> maker) {
        this.target = target;
        this.clock = clock;
        this.dialer = dialer;
        this.maker = maker;
    }

    String target() {
        return target;
    }

    // ---- connecting -----------------------------------------------------------------------------------------------

    /** A connection to a member that is not in use yet. */
    record Reached(Dialer.Open open, Parts parts) implements AutoCloseable {
        @Override
        public void close() {
            open.close();
            parts.node().close();
        }
    }

    Reached reach() throws StoreFailure {
        try {
            Reached reached = new Reached(dialer.open(), maker.apply(dialer::open));
            trouble = "";
            return reached;
        } catch (StoreFailure failure) {
            trouble = String.valueOf(failure.getMessage());
            throw failure;
        }
    }

    /**
     * Begins to use the member.
     *
     * @param known whether the namespace is known to exist: a member without it has forgotten it
     * @return the risks in how it is set up
     */
    List<String> start(Reached reached, boolean known, Deadline deadline) throws StoreFailure {
        try {
            List<String> warnings = reached.parts().node().start(reached.open(), known, deadline);
            parts = reached.parts();
            if (closed) {
                close();
            }
            return warnings;
        } catch (StoreFailure refused) {
            trouble = String.valueOf(refused.getMessage());
            throw refused;
        }
    }

    /** Returns whether it is in use: its connections may have broken since. */
    boolean isStarted() {
        return parts != null;
    }

    /** Returns why it could not be connected; empty if it was reached. */
    String trouble() {
        return trouble;
    }

    /** Returns its store, for what operators ask for. */
    RedisStore store() throws StoreFailure {
        Parts now = parts;
        if (now == null) {
            throw notStarted();
        }
        return now.store();
    }

    private StoreFailure notStarted() {
        return new StoreFailure(
                Effect.NONE,
                Reason.UNREACHABLE,
                "the member " + target + " of the quorum is not connected: " + trouble,
                null);
    }

    /** Returns for how long it counts as one that may have forgotten, because its clock jumped; 0 if it does not. */
    long doubtMicros() {
        return clock.doubtMicros();
    }

    // ---- commands -------------------------------------------------------------------------------------------------

    /** Returns a number for a command to this member: the client's own, unless a later command has taken that here. */
    CommandNumber number(CommandNumber clients) {
        return new CommandNumber(() -> numbers.updateAndGet(last -> Math.max(last + 1, clients.value())));
    }

    /** Returns the next number. */
    CommandNumber number() {
        return new CommandNumber(numbers::incrementAndGet);
    }

    /**
     * Asks for a hold, without a queue.
     *
     * @param leastToken the token that the hold shall have, if the member has not given a greater one. If this attempt was
     *     granted before, its token grows to this
     */
    Asked<Acquire.Reply> acquire(Acquire command, long leastToken) {
        if (isSilent() || isPausing()) {
            return Asked.failed(new StoreFailure(
                    Effect.NONE, Reason.UNREACHABLE, "the member " + target + " of the quorum does not answer", null));
        }
        long begin = clock.micros();
        Asked<Acquire.Reply> asked = ask(requests -> requests.acquire(command, leastToken), (node, answer) -> {
            Acquire.Reply reply = answer.acquire(command.leaseMicros());
            clock.told(reply.stamp().nowMicros(), begin);
            heedGrace(node, reply.stamp().graceMicros());
            return reply;
        });
        Waiting before = oldest;
        if (before == null || before.asked().isDone()) {
            oldest = new Waiting(asked, Deadline.in(SILENCE_NANOS));
        }
        return asked;
    }

    /** Returns whether it could not be reached a moment ago: otherwise each attempt would try to connect. */
    private boolean isPausing() {
        Waiting first = oldest;
        StoreFailure failure = first == null ? null : first.asked().failure();
        if (failure != null && failure.reason() == Reason.UNREACHABLE) {
            oldest = null;
            pause = Deadline.in(PAUSE_NANOS);
        }
        return pause.leftNanos() > 0;
    }

    private boolean isSilent() {
        Waiting first = oldest;
        return first != null
                && first.patience().leftNanos() <= 0
                && !first.asked().isDone();
    }

    /** Ends a hold; answers whether there was one. */
    Asked<Boolean> release(Release command) {
        return ask(requests -> requests.release(command), (node, answer) -> {
            node.ended(command);
            return answer.release().released();
        });
    }

    /** Undoes an attempt; answers false. */
    Asked<Boolean> cancel(Cancel command) {
        return ask(requests -> requests.cancel(command), (node, answer) -> {
            node.ended(command);
            heedGrace(node, answer.stamp(0).graceMicros());
            return false;
        });
    }

    /** Sends one call of a heartbeat for holds; answers for each of them, with deadlines that count from the answer. */
    Asked<List<Heartbeat.HoldReply>> heartbeat(Heartbeat part) {
        long begin = clock.micros();
        return ask(requests -> requests.heartbeat(part), (node, answer) -> {
            heedGrace(node, answer.stamp(0).graceMicros());
            List<Heartbeat.HoldReply> holds = new ArrayList<>();
            answer.addTo(holds, new ArrayList<>(), part);
            long now = answer.number(0);
            clock.told(now, begin);
            holds.replaceAll(reply -> reply instanceof Heartbeat.Renewed renewed
                    ? new Heartbeat.Renewed(renewed.deadlineMicros() - now, renewed.contended())
                    : reply);
            return holds;
        });
    }

    /** Returns whether nothing is on its way to it. */
    boolean isQuiet() {
        Asked<?> last = newest;
        return last == null || last.isDone();
    }

    /** Asks whether it answers. */
    Asked<Boolean> ping() {
        return ask(requests -> (out, wire, whole) -> out.command(1).bulk("TIME"), (node, answer) -> true);
    }

    private interface Reading<T> {
        T read(Node node, Answer answer) throws StoreFailure;
    }

    private <T> Asked<T> ask(Function<Commands, Request> request, Reading<T> reading) {
        Parts now = parts;
        if (now == null) {
            return Asked.failed(notStarted());
        }
        Node node = now.node();
        Asked<T> asked =
                Asked.of(node.commands(), request.apply(node.requests()), answer -> reading.read(node, answer));
        newest = asked;
        return asked;
    }

    /** If a grace period has begun, repeats what the member may have forgotten. */
    private static void heedGrace(Node node, long graceMicros) {
        if (graceMicros > 0 && node.noted(graceMicros)) {
            node.forgotten().forEach(again -> {
                Call unused = node.commands().begin(again);
            });
        }
    }

    @Override
    public void close() {
        closed = true;
        dialer.close();
        Parts now = parts;
        if (now != null) {
            now.node().close();
        }
    }
}
