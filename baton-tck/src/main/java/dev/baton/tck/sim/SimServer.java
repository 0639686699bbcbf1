package dev.baton.tck.sim;

import dev.baton.internal.engine.Command;
import dev.baton.internal.memory.MemoryMachine;
import dev.baton.internal.memory.MemoryServer;
import dev.baton.spi.Acquire;
import dev.baton.spi.Cancel;
import dev.baton.spi.Capabilities;
import dev.baton.spi.CommandNumber;
import dev.baton.spi.Heartbeat;
import dev.baton.spi.Kind;
import dev.baton.spi.Note;
import dev.baton.spi.NoteView;
import dev.baton.spi.Push;
import dev.baton.spi.Release;
import dev.baton.spi.Resource;
import dev.baton.spi.ResourceView;
import dev.baton.spi.Stamp;
import dev.baton.spi.Store;
import dev.baton.spi.StoreFailure;
import dev.baton.spi.Timings;
import dev.baton.spi.WriteNote;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.BiConsumer;
import java.util.function.Consumer;

/** A server process: the reference machine with its own clock, its last replica, and a checker of its grants. */
final class SimServer {
    private final World world;
    private final Scenario scenario;
    private final Timings timings;
    private final GrantChecker checker;
    private final NoteWitness noteWitness;
    private final NoteStore notes;
    private final BiConsumer<String, Push> pushes;
    private final int shard;
    private final Sessions sessions;
    private final Replication replication;
    private MemoryMachine machine;
    private MemoryMachine replica;
    private long clockOffsetMicros;
    private long pausedUntilNanos;
    private int runs;

    private boolean ghost;
    private boolean wrote;

    SimServer(
            World world,
            Scenario scenario,
            Timings timings,
            GrantChecker checker,
            NoteWitness noteWitness,
            BiConsumer<String, Push> pushes,
            int shard) {
        this.world = world;
        this.scenario = scenario;
        this.timings = timings;
        this.checker = checker;
        this.noteWitness = noteWitness;
        this.notes = new NoteStore(scenario, noteWitness);
        this.pushes = pushes;
        this.shard = shard;
        // With a clock far before the tokens' epoch, a hybrid token is only a counter.
        this.clockOffsetMicros = scenario.isBroken(BrokenRule.HYBRID_TOKENS) ? 1_000_000 : World.EPOCH_MICROS;
        this.sessions = new Sessions(scenario, timings);
        this.replication = new Replication(world);
        this.machine = new MemoryMachine(scenario.sessions() ? Sessions.withoutEnd() : timings, run());
        this.replica = machine.copy();
    }

    private SimServer(SimServer old) {
        this(old.world, old.scenario, old.timings, old.checker, old.noteWitness, old.pushes, old.shard);
        this.machine = old.machine.copy();
        this.clockOffsetMicros = old.clockOffsetMicros;
        this.ghost = true;
    }

    /** Returns what a scenario's servers can do. */
    static Capabilities capabilities(Scenario scenario) {
        if (scenario.sessions()) {
            return Sessions.CAPABILITIES;
        }
        boolean confirms = scenario.confirms() && !scenario.isBroken(BrokenRule.CONFIRMED_HAND_OFF);
        return MemoryServer.CAPABILITIES.toBuilder().confirmsHandOffs(confirms).build();
    }

    long nowMicros() {
        return clockOffsetMicros + world.nanos() / 1_000;
    }

    long pausedUntilNanos() {
        return pausedUntilNanos;
    }

    void pauseUntil(long nanos) {
        pausedUntilNanos = Math.max(pausedUntilNanos, nanos);
    }

    void stepClock(long millis) {
        clockOffsetMicros += millis * 1_000;
    }

    /** Updates the replica, which keeps this state until the next call. */
    void replicate() {
        replica = machine.copy();
        replication.arrived();
    }

    /** Continues as another process with the replica's state. */
    void failOver(long clockSkewMillis) {
        machine = replica;
        stepClock(clockSkewMillis);
        long grace = scenario.isBroken(BrokenRule.GRACE) ? 0 : nowMicros() + timings.graceMicros();
        runs++;
        machine.restartAs(run(), grace);
        replica = machine.copy();
        replication.broken();
    }

    /** Returns the process that a failover leaves behind, if it lives on. */
    SimServer ghost() {
        return new SimServer(this);
    }

    private String run() {
        return (shard > 0 ? "shard-" + shard + "-" : "") + (ghost ? "ghost-" : "run-") + runs;
    }

    /** Returns a name's note. */
    NoteView readNote(String name) {
        return notes.read(machine, name, nowMicros());
    }

    /** Removes a name's note. */
    WriteNote.Reply forgetNote(String name) {
        return notes.forget(machine, name, nowMicros());
    }

    int size() {
        return machine.size(nowMicros());
    }

    /**
     * Performs a command.
     *
     * @param answer carries the reply to the client, at once or when the replica has what the command wrote
     * @param unknown tells the client that the outcome is unknown
     */
    void perform(String client, Command command, Consumer<Object> answer, Runnable unknown) {
        wrote = false;
        Object reply = performed(client, command);
        if (wrote && scenario.confirms()) {
            replication.await(() -> answer.accept(reply), unknown);
        } else {
            answer.accept(reply);
        }
    }

    private Object performed(String client, Command command) {
        try {
            return command.perform(face(client), 0);
        } catch (StoreFailure impossible) {
            throw new AssertionError(impossible);
        }
    }

    /** Returns the store that one client sees. */
    private Store face(String client) {
        Face face = new Face(client);
        if (!scenario.sessions()) {
            return face;
        }
        // A command that arrives too late begins another session.
        endSessions();
        heard(client);
        return sessions.of(client, face);
    }

    /** Records that a client lives. */
    void heard(String client) {
        sessions.heard(client, world.nanos());
    }

    /** Records that a client's command had no answer. Without sessions it is the engine's to repeat it. */
    void unanswered(String client, Command command) {
        if (scenario.sessions()) {
            sessions.unanswered(client, command);
        }
    }

    /** Has the parts of a store that are alive in their clients do what they do without being asked. */
    void live(String client) {
        heard(client);
        sessions.repeatRemovals(client, new Face(client));
    }

    /** Ends the sessions of the clients that were silent for too long. Their holds have failed. */
    void endSessions() {
        for (String client : sessions.over(world.nanos())) {
            machine.list("", "", Integer.MAX_VALUE, nowMicros()).forEach(view -> end(client, view));
        }
    }

    /** The tickets go first: all entries of a session go at once, so that none of its tickets follows one of its holds. */
    private void end(String client, ResourceView view) {
        for (ResourceView.Ticket ticket : view.tickets()) {
            if (ticket.client().equals(client)) {
                Cancel cancel = new Cancel(view.resource(), ticket.attempt(), CommandNumber.of(Long.MAX_VALUE));
                machine.cancel(client, cancel, nowMicros(), this::push);
            }
        }
        for (ResourceView.Hold hold : view.holds()) {
            if (hold.client().equals(client)) {
                CommandNumber number = CommandNumber.of(Long.MAX_VALUE);
                Release failed = new Release(view.resource(), hold.attempt(), hold.token(), number, true, 0);
                machine.release(client, failed, nowMicros(), this::push);
            }
        }
    }

    private <T> T checked(T reply) {
        if (scenario.isBroken(BrokenRule.ONCE)) {
            machine.forgetMarks();
        }
        return reply;
    }

    private void push(String client, Push push) {
        checker.granted(run(), push.name(), client, push.attempt(), push.token());
        pushes.accept(client, scenario.sessions() ? sessions.told(client, push, world.nanos()) : push);
    }

    private final class Face implements Store {
        private final String client;

        Face(String client) {
            this.client = client;
        }

        @Override
        public Capabilities capabilities() {
            return SimServer.capabilities(scenario);
        }

        @Override
        public String namespaceId() {
            return "0".repeat(32);
        }

        @Override
        public Acquire.Reply acquire(Acquire command, long timeoutNanos) {
            wrote = true;
            Acquire asked = weighed(scenario.queue() ? command : command.withMode(Acquire.Mode.TRY));
            if (command.resource().kind() == Kind.READ_WRITE && command.weight() == 1) {
                checker.reads(
                        command.resource().name(), client, command.attempt().value());
            }
            Acquire.Reply reply = machine.acquire(client, asked, nowMicros(), SimServer.this::push);
            if (reply instanceof Acquire.Granted granted) {
                checker.granted(
                        run(),
                        command.resource().name(),
                        client,
                        command.attempt().value(),
                        granted.token());
            }
            return checked(reply);
        }

        private Acquire weighed(Acquire command) {
            return !scenario.isBroken(BrokenRule.WEIGHT)
                    ? command
                    : new Acquire(
                            command.resource(),
                            command.attempt(),
                            1,
                            command.leaseMicros(),
                            command.lockDelayMicros(),
                            command.description(),
                            command.mode(),
                            command.secret());
        }

        @Override
        public Heartbeat.Reply heartbeat(Heartbeat command, long timeoutNanos) {
            // One with tickets alone keeps nothing that could be lost, as a hand-off in its answer is confirmed later.
            wrote = !command.holds().isEmpty();
            Heartbeat.Reply reply = checked(machine.heartbeat(client, command, nowMicros(), SimServer.this::push));
            boolean mute = scenario.isBroken(BrokenRule.PUSH_IS_A_HINT);
            return mute ? withoutNews(reply, command.tickets().size()) : reply;
        }

        private Heartbeat.Reply withoutNews(Heartbeat.Reply reply, int tickets) {
            return new Heartbeat.Reply(
                    reply.stamp(), reply.holds(), Collections.nCopies(tickets, new Heartbeat.Waiting(0, 0)));
        }

        @Override
        public Release.Reply release(Release command, long timeoutNanos) {
            wrote = true;
            Release asked = scenario.isBroken(BrokenRule.KEPT)
                    ? new Release(
                            command.resource(),
                            command.attempt(),
                            command.token(),
                            command.number(),
                            command.failed(),
                            0)
                    : command;
            return checked(machine.release(client, asked, nowMicros(), SimServer.this::push));
        }

        @Override
        public Stamp cancel(Cancel command, long timeoutNanos) {
            return checked(machine.cancel(client, command, nowMicros(), SimServer.this::push));
        }

        @Override
        public Map<String, String> facts(long timeoutNanos) {
            return Map.of("version", "simulated");
        }

        @Override
        public Optional<ResourceView> inspect(String name, long timeoutNanos) {
            return machine.inspect(name, nowMicros());
        }

        @Override
        public List<ResourceView> list(String prefix, String after, int limit, long timeoutNanos) {
            return machine.list(prefix, after, limit, nowMicros());
        }

        @Override
        public boolean forceRelease(String name, long token, boolean now, long timeoutNanos) {
            return machine.forceRelease(name, token, now, nowMicros(), SimServer.this::push);
        }

        @Override
        public Resource withhold(Resource semaphore, int weight, long timeoutNanos) {
            return machine.withhold(semaphore, weight, nowMicros(), SimServer.this::push);
        }

        @Override
        public WriteNote.Reply writeNote(WriteNote command, long timeoutNanos) {
            wrote = true;
            return notes.write(machine, client, command, nowMicros());
        }

        @Override
        public WriteNote.Reply restoreNote(String name, Note note, long timeoutNanos) {
            wrote = true;
            return notes.restore(machine, name, note, nowMicros());
        }

        @Override
        public void close() {}
    }
}
