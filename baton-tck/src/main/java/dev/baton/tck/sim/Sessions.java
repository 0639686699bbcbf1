package dev.baton.tck.sim;

import dev.baton.internal.engine.Command;
import dev.baton.internal.memory.MemoryServer;
import dev.baton.spi.Acquire;
import dev.baton.spi.Cancel;
import dev.baton.spi.Capabilities;
import dev.baton.spi.Heartbeat;
import dev.baton.spi.Note;
import dev.baton.spi.Push;
import dev.baton.spi.Release;
import dev.baton.spi.Stamp;
import dev.baton.spi.Store;
import dev.baton.spi.StoreFailure;
import dev.baton.spi.Timings;
import dev.baton.spi.WriteNote;
import dev.baton.tck.ForwardingStore;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * A server that keeps no deadlines: each client's part of the store answers with deadlines of its own, and the server
 * forgets a client that it has not heard for {@value #MILLIS} ms. The server is the reference machine, which is told of
 * leases that are longer than the simulation.
 */
final class Sessions {
    /** Longer than what a client believes, and shorter than the longest pause. */
    static final int MILLIS = 200;

    static final Capabilities CAPABILITIES = MemoryServer.CAPABILITIES.toBuilder()
            .session(Duration.ofMillis(MILLIS))
            .build();

    private static final Duration EVER = Duration.ofHours(1);

    private final Scenario scenario;
    private final long claimMicros;
    private final Map<String, Own> known = new HashMap<>();
    private final Map<String, Long> heardNanos = new HashMap<>();

    /**
     * What a client's part of the store knows: the deadlines of its holds, and the answers to its requests, each of which
     * it sends to the server once.
     */
    private static final class Own {
        private final Map<Long, Long> deadlines = new HashMap<>();
        private final Map<Long, Acquire.Reply> replies = new HashMap<>();

        /** Requests without an answer; of these, the removals are repeated until the session ends. */
        private final List<Command> unanswered = new ArrayList<>();

        /** How many sessions the client has had before this one. */
        private int session;
    }

    Sessions(Scenario scenario, Timings timings) {
        this.scenario = scenario;
        this.claimMicros = timings.claimMicros();
    }

    /** Returns times after which nothing of the simulation ends. */
    static Timings withoutEnd() {
        return new Timings(EVER, EVER, EVER.multipliedBy(2));
    }

    /** Records that a client lives, whether or not its commands arrive. */
    void heard(String client, long nanos) {
        heardNanos.put(client, nanos);
    }

    /** Returns the clients whose sessions are over now. */
    List<String> over(long nanos) {
        List<String> over = new ArrayList<>();
        heardNanos.entrySet().removeIf(each -> {
            boolean isOver = nanos - each.getValue() > MILLIS * World.MILLI;
            if (isOver) {
                over.add(each.getKey());
                // A request of the old session is not sent in the next one.
                Own own = known.get(each.getKey());
                if (own != null) {
                    own.deadlines.clear();
                    own.unanswered.clear();
                    own.session++;
                }
            }
            return isOver;
        });
        return over;
    }

    /** A push as the client's part of the store tells it: believable for as long as the session certainly lives. */
    Push told(String client, Push push, long nanos) {
        Long heard = heardNanos.get(client);
        long sureMicros = heard == null ? 0 : MILLIS * 1_000 - (nanos - heard) / 1_000;
        return new Push(
                push.name(),
                push.attempt(),
                push.token(),
                push.nowMicros() + Math.min(claimMicros, sureMicros),
                push.nowMicros(),
                runId(own(client), push.runId()),
                push.secret());
    }

    /** A new session of a client is as good as another server: nothing of the old session is left there. */
    private static String runId(Own own, String server) {
        return server + "/" + own.session;
    }

    /** Returns the client's part of the store. */
    Store of(String client, Store server) {
        return new Part(own(client), server);
    }

    private Own own(String client) {
        return known.computeIfAbsent(client, unknown -> new Own());
    }

    /** Records that a command had no answer. */
    void unanswered(String client, Command command) {
        own(client).unanswered.add(command);
    }

    /** Repeats the removals of a client that had no answer: its part of the store does not forget them. */
    void repeatRemovals(String client, Store server) {
        List<Command> open = own(client).unanswered;
        for (Command each : List.copyOf(open)) {
            try {
                each.perform(new Removals(server), 0);
            } catch (StoreFailure noRemoval) {
                // Only the engine repeats other commands.
            }
        }
        open.clear();
    }

    /** Lets only removals pass. */
    private static final class Removals extends ForwardingStore {
        private final Store server;

        Removals(Store server) {
            this.server = server;
        }

        @Override
        protected Store inner() {
            return server;
        }

        @Override
        public Acquire.Reply acquire(Acquire command, long timeoutNanos) throws StoreFailure {
            throw noRemoval();
        }

        @Override
        public Heartbeat.Reply heartbeat(Heartbeat command, long timeoutNanos) throws StoreFailure {
            throw noRemoval();
        }

        @Override
        public WriteNote.Reply writeNote(WriteNote command, long timeoutNanos) throws StoreFailure {
            throw noRemoval();
        }

        @Override
        public WriteNote.Reply restoreNote(String name, Note note, long timeoutNanos) throws StoreFailure {
            throw noRemoval();
        }

        private static StoreFailure noRemoval() {
            return new StoreFailure(StoreFailure.Effect.NONE, "no removal", null);
        }
    }

    private final class Part extends ForwardingStore {
        private final Own own;
        private final Store server;

        Part(Own own, Store server) {
            this.own = own;
            this.server = server;
        }

        @Override
        protected Store inner() {
            return server;
        }

        @Override
        public Capabilities capabilities() {
            return CAPABILITIES;
        }

        @Override
        public Acquire.Reply acquire(Acquire command, long timeoutNanos) throws StoreFailure {
            long attempt = command.attempt().value();
            Acquire.Reply before = own.replies.get(attempt);
            Acquire.Reply reply = before != null ? before : inSession(acquireOnce(command, timeoutNanos));
            own.replies.put(attempt, reply);
            return reply;
        }

        private Acquire.Reply inSession(Acquire.Reply reply) {
            Stamp stamp = inSession(reply.stamp());
            if (reply instanceof Acquire.Granted granted) {
                return new Acquire.Granted(stamp, granted.token(), granted.deadlineMicros());
            } else if (reply instanceof Acquire.Queued queued) {
                return new Acquire.Queued(stamp, queued.position(), queued.remainingMicros());
            } else if (reply instanceof Acquire.Held held) {
                return new Acquire.Held(stamp, held.holders(), held.remainingMicros(), held.queued());
            } else if (reply instanceof Acquire.Mismatch mismatch) {
                return new Acquire.Mismatch(stamp, mismatch.kind(), mismatch.capacity());
            } else if (reply instanceof Acquire.Unfit unfit) {
                return new Acquire.Unfit(stamp, unfit.permits());
            }
            return reply instanceof Acquire.Stale ? new Acquire.Stale(stamp) : new Acquire.Recovering(stamp);
        }

        private Stamp inSession(Stamp stamp) {
            return new Stamp(runId(own, stamp.runId()), stamp.nowMicros(), stamp.graceMicros());
        }

        private Acquire.Reply acquireOnce(Acquire command, long timeoutNanos) throws StoreFailure {
            Acquire.Reply reply = super.acquire(
                    new Acquire(
                            command.resource(),
                            command.attempt(),
                            command.weight(),
                            micros(EVER),
                            command.lockDelayMicros(),
                            command.description(),
                            command.mode(),
                            command.secret()),
                    timeoutNanos);
            if (reply instanceof Acquire.Granted granted) {
                long deadline = granted.stamp().nowMicros() + command.leaseMicros();
                own.deadlines.merge(command.attempt().value(), deadline, Math::max);
                return new Acquire.Granted(granted.stamp(), granted.token(), deadline);
            }
            return reply;
        }

        @Override
        public Heartbeat.Reply heartbeat(Heartbeat command, long timeoutNanos) throws StoreFailure {
            Heartbeat.Reply reply = super.heartbeat(
                    new Heartbeat(
                            command.number(),
                            command.holds().stream().map(Part::withoutEnd).toList(),
                            command.tickets()),
                    timeoutNanos);
            long now = reply.stamp().nowMicros();
            List<Heartbeat.HoldReply> holds = new ArrayList<>();
            for (int i = 0; i < command.holds().size(); i++) {
                holds.add(renewed(command.holds().get(i), reply.holds().get(i), now));
            }
            List<Heartbeat.TicketReply> tickets = new ArrayList<>();
            for (Heartbeat.TicketReply each : reply.tickets()) {
                tickets.add(
                        each instanceof Heartbeat.TicketGranted granted
                                ? new Heartbeat.TicketGranted(granted.token(), now + claimMicros)
                                : each);
            }
            return new Heartbeat.Reply(inSession(reply.stamp()), holds, tickets);
        }

        private static Heartbeat.Hold withoutEnd(Heartbeat.Hold hold) {
            return new Heartbeat.Hold(
                    hold.resource(),
                    hold.attempt(),
                    hold.token(),
                    hold.weight(),
                    micros(EVER),
                    hold.lockDelayMicros(),
                    hold.extend(),
                    hold.description(),
                    hold.restorable());
        }

        private Heartbeat.HoldReply renewed(Heartbeat.Hold hold, Heartbeat.HoldReply reply, long now) {
            if (!(reply instanceof Heartbeat.Renewed renewed)) {
                return reply;
            }
            long deadline = own.deadlines.getOrDefault(hold.attempt(), Long.MIN_VALUE);
            if (hold.extend() || deadline == Long.MIN_VALUE) {
                deadline = Math.max(deadline, now + hold.leaseMicros());
                own.deadlines.put(hold.attempt(), deadline);
            }
            return new Heartbeat.Renewed(deadline, renewed.contended());
        }

        @Override
        public Release.Reply release(Release command, long timeoutNanos) throws StoreFailure {
            if (command.failed() && scenario.isBroken(BrokenRule.FAILED_RELEASE)) {
                return new Release.Reply(ping(timeoutNanos), false);
            }
            Release.Reply reply = super.release(command, timeoutNanos);
            return new Release.Reply(inSession(reply.stamp()), reply.released());
        }

        @Override
        public Stamp cancel(Cancel command, long timeoutNanos) throws StoreFailure {
            return inSession(super.cancel(command, timeoutNanos));
        }

        @Override
        public Stamp ping(long timeoutNanos) throws StoreFailure {
            return inSession(super.ping(timeoutNanos));
        }

        @Override
        public WriteNote.Reply writeNote(WriteNote command, long timeoutNanos) throws StoreFailure {
            return inSession(super.writeNote(command, timeoutNanos));
        }

        @Override
        public WriteNote.Reply restoreNote(String name, Note note, long timeoutNanos) throws StoreFailure {
            return inSession(super.restoreNote(name, note, timeoutNanos));
        }

        private WriteNote.Reply inSession(WriteNote.Reply reply) {
            Stamp stamp = inSession(reply.stamp());
            if (reply instanceof WriteNote.Written) {
                return new WriteNote.Written(stamp);
            }
            return reply instanceof WriteNote.Refused ? new WriteNote.Refused(stamp) : new WriteNote.Recovering(stamp);
        }

        private static long micros(Duration time) {
            return time.toNanos() / 1_000;
        }
    }
}
