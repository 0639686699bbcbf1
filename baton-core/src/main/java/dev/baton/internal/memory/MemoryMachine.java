package dev.baton.internal.memory;

import dev.baton.spi.Acquire;
import dev.baton.spi.Cancel;
import dev.baton.spi.Grace;
import dev.baton.spi.Heartbeat;
import dev.baton.spi.Ledger;
import dev.baton.spi.Note;
import dev.baton.spi.NoteView;
import dev.baton.spi.Protocol;
import dev.baton.spi.Push;
import dev.baton.spi.Release;
import dev.baton.spi.Resource;
import dev.baton.spi.ResourceState;
import dev.baton.spi.ResourceView;
import dev.baton.spi.Stamp;
import dev.baton.spi.Timings;
import dev.baton.spi.WriteNote;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.Optional;
import java.util.TreeMap;
import java.util.function.BiConsumer;

/**
 * The reference machine: all resources and notes of a namespace, their buckets' high water and the clients' marks.
 *
 * <p>Pure state and rules: the caller passes the time with every command, and receives the pushes that the command
 * causes. The simulator copies the machine to play a replica, and restarts it to play a failover. An idle name leaves
 * nothing behind. The machine keeps only 64 numbers, and 64 marks per client for an hour. Not thread-safe.
 */
public final class MemoryMachine {
    /** Marks which of a client's commands are over in a bucket. */
    private record Mark(long attempt, long end, long touchedMicros) {
        private static final Mark NONE = new Mark(0, 0, 0);
    }

    private record MarkKey(String client, int bucket) {}

    private static final String REASON = "another server answers than before: a failover or a restart";
    private static final int SWEEP_EVERY = 4096;

    private final Timings timings;
    private final Map<String, ResourceState> resources;
    private final Map<String, Note> notes;
    private final Map<MarkKey, Mark> marks;
    private final long[] highWater;
    private String runId;
    private long graceUntilMicros;
    private int sinceSweep;

    /**
     * Creates an empty machine outside any grace period.
     *
     * @param timings the namespace's times
     * @param runId identity of this server process
     */
    public MemoryMachine(Timings timings, String runId) {
        this(timings, runId, 0, new HashMap<>(), new HashMap<>(), new HashMap<>(), new long[Protocol.BUCKETS]);
    }

    private MemoryMachine(
            Timings timings,
            String runId,
            long graceUntilMicros,
            Map<String, ResourceState> resources,
            Map<String, Note> notes,
            Map<MarkKey, Mark> marks,
            long[] highWater) {
        this.timings = timings;
        this.runId = runId;
        this.graceUntilMicros = graceUntilMicros;
        this.resources = resources;
        this.notes = notes;
        this.marks = marks;
        this.highWater = highWater;
    }

    /** Returns an independent copy: the present state of a replica. */
    public MemoryMachine copy() {
        Map<String, ResourceState> copies = new HashMap<>();
        resources.forEach((name, state) -> copies.put(name, state.copy()));
        return new MemoryMachine(
                timings,
                runId,
                graceUntilMicros,
                copies,
                new HashMap<>(notes),
                new HashMap<>(marks),
                highWater.clone());
    }

    /**
     * Continues as another server process, which may have lost the last commands.
     *
     * @param newRunId identity of the process
     * @param graceUntil end of the grace period on the store's clock
     */
    public void restartAs(String newRunId, long graceUntil) {
        runId = newRunId;
        graceUntilMicros = graceUntil;
    }

    /** Forgets the clients' marks, like a store without the once-rule. The simulator checks that it catches this. */
    public void forgetMarks() {
        marks.clear();
    }

    /** Returns server and time. */
    public Stamp stamp(long now) {
        return new Stamp(runId, now, Math.max(0, graceUntilMicros - now));
    }

    /** Returns the grace period; empty outside one. */
    public Optional<Grace> grace(long now) {
        long rest = stamp(now).graceMicros();
        return rest == 0 ? Optional.empty() : Optional.of(new Grace(rest, REASON, Protocol.BUCKETS));
    }

    /** Performs an acquire. */
    public Acquire.Reply acquire(String client, Acquire command, long now, BiConsumer<String, Push> pushes) {
        String name = command.resource().name();
        ResourceState state = resources.get(name);
        if (state == null || state.isIdle(now)) {
            state = new ResourceState(command.resource(), timings);
        }
        Acquire.Reply reply = state.acquire(client, command, moment(name, now, pushes));
        keep(name, state, now);
        return reply;
    }

    /** Performs a heartbeat. */
    public Heartbeat.Reply heartbeat(String client, Heartbeat command, long now, BiConsumer<String, Push> pushes) {
        long number = command.number().value();
        List<Heartbeat.HoldReply> holds = new ArrayList<>(command.holds().size());
        for (Heartbeat.Hold hold : command.holds()) {
            ResourceState state = stateOf(hold.resource());
            holds.add(
                    state.heartbeat(client, hold, number, moment(hold.resource().name(), now, pushes)));
            keep(hold.resource().name(), state, now);
        }
        List<Heartbeat.TicketReply> tickets = new ArrayList<>(command.tickets().size());
        for (Heartbeat.Ticket ticket : command.tickets()) {
            ResourceState state = stateOf(ticket.resource());
            tickets.add(state.heartbeat(client, ticket, moment(ticket.resource().name(), now, pushes)));
            keep(ticket.resource().name(), state, now);
        }
        return new Heartbeat.Reply(stamp(now), holds, tickets);
    }

    /** Performs a release. */
    public Release.Reply release(String client, Release command, long now, BiConsumer<String, Push> pushes) {
        ResourceState state = stateOf(command.resource());
        String name = command.resource().name();
        boolean released = state.release(client, command, moment(name, now, pushes));
        keep(name, state, now);
        return new Release.Reply(stamp(now), released);
    }

    /** Performs a cancel. */
    public Stamp cancel(String client, Cancel command, long now, BiConsumer<String, Push> pushes) {
        ResourceState state = stateOf(command.resource());
        String name = command.resource().name();
        state.cancel(client, command, moment(name, now, pushes));
        keep(name, state, now);
        return stamp(now);
    }

    /** Releases a hold by force. */
    public boolean forceRelease(
            String name, long token, boolean immediately, long now, BiConsumer<String, Push> pushes) {
        ResourceState state = resources.get(name);
        if (state == null) {
            return false;
        }
        boolean found = state.forceRelease(token, immediately, moment(name, now, pushes));
        keep(name, state, now);
        return found;
    }

    /** Sets how many permits of a semaphore are granted to no client. */
    public Resource withhold(Resource semaphore, int weight, long now, BiConsumer<String, Push> pushes) {
        String name = semaphore.name();
        ResourceState state = stateOf(semaphore);
        Resource present = state.withhold(semaphore, weight, moment(name, now, pushes));
        keep(name, state, now);
        return present;
    }

    /** Returns a name's note. */
    public NoteView note(String name, long now) {
        return new NoteView(stamp(now), Optional.ofNullable(notes.get(name)));
    }

    /** Writes a note, if its client may. */
    public WriteNote.Reply writeNote(String client, WriteNote command, long now) {
        String name = command.resource().name();
        Note present = notes.get(name);
        WriteNote.Reply reply = stateOf(command.resource())
                .writeNote(client, command, present, moment(name, now, (nobody, nothing) -> {}));
        if (reply instanceof WriteNote.Written && command.note().isNewerThan(present)) {
            notes.put(name, command.note());
        }
        return reply;
    }

    /** Puts back a note in a grace period. */
    public WriteNote.Reply restoreNote(String name, Note note, long now) {
        Stamp stamp = stamp(now);
        if (stamp.graceMicros() == 0) {
            return new WriteNote.Refused(stamp);
        }
        if (note.isNewerThan(notes.get(name))) {
            notes.put(name, note);
        }
        return new WriteNote.Written(stamp);
    }

    /** Removes a note. */
    public WriteNote.Reply forgetNote(String name, long now) {
        Stamp stamp = stamp(now);
        if (stamp.graceMicros() > 0) {
            return new WriteNote.Recovering(stamp);
        }
        return notes.remove(name) != null ? new WriteNote.Written(stamp) : new WriteNote.Refused(stamp);
    }

    /** Returns the state of one name. */
    public Optional<ResourceView> inspect(String name, long now) {
        return Optional.ofNullable(resources.get(name)).flatMap(state -> state.view(stamp(now)));
    }

    /** Returns the states of the names with a prefix and after another one, in order. */
    public List<ResourceView> list(String prefix, String after, int limit, long now) {
        NavigableMap<String, ResourceState> named = new TreeMap<>(Protocol.NAME_ORDER);
        named.putAll(resources);
        boolean within = Protocol.NAME_ORDER.compare(after, prefix) >= 0;
        return named.tailMap(within ? after : prefix, !within).values().stream()
                .takeWhile(state -> state.resource().name().startsWith(prefix))
                .flatMap(state -> state.view(stamp(now)).stream())
                .limit(limit)
                .toList();
    }

    /** Returns how many names have any state that matters, for the residue checks. */
    public int size(long now) {
        sweep(now);
        return resources.size();
    }

    /**
     * Forgets names whose clients died and that no client has asked for since, and marks of clients that are long
     * silent.
     */
    private void sweep(long now) {
        resources.values().removeIf(state -> state.isOver(now));
        marks.values().removeIf(mark -> mark.touchedMicros() + Protocol.MARK_MICROS < now);
    }

    private ResourceState stateOf(Resource resource) {
        ResourceState state = resources.get(resource.name());
        return state != null ? state : new ResourceState(resource, timings);
    }

    private void keep(String name, ResourceState state, long now) {
        if (state.isIdle(now)) {
            resources.remove(name);
        } else {
            resources.put(name, state);
        }
        if (++sinceSweep >= SWEEP_EVERY) {
            sinceSweep = 0;
            sweep(now);
        }
    }

    private Ledger moment(String name, long now, BiConsumer<String, Push> pushes) {
        return new Moment(Protocol.bucketOf(name), stamp(now), pushes);
    }

    private final class Moment implements Ledger {
        private final int bucket;
        private final Stamp stamp;
        private final BiConsumer<String, Push> pushes;

        Moment(int bucket, Stamp stamp, BiConsumer<String, Push> pushes) {
            this.bucket = bucket;
            this.stamp = stamp;
            this.pushes = pushes;
        }

        @Override
        public Stamp stamp() {
            return stamp;
        }

        @Override
        public long nextToken() {
            highWater[bucket] = Protocol.nextToken(highWater[bucket], stamp.nowMicros());
            return highWater[bucket];
        }

        @Override
        public void raiseHighWater(long token) {
            highWater[bucket] = Math.max(highWater[bucket], token);
        }

        @Override
        public boolean isFinished(String client, long attempt) {
            return attempt <= mark(client).attempt();
        }

        @Override
        public boolean isOutdated(String client, long number) {
            return number <= mark(client).end();
        }

        @Override
        public void recordGrant(String client, long attempt) {
            raise(client, attempt, 0);
        }

        @Override
        public void recordEnd(String client, long attempt, long number) {
            raise(client, attempt, number);
        }

        @Override
        public void handedOff(Resource resource, ResourceView.Hold hold, long secret) {
            pushes.accept(
                    hold.client(),
                    new Push(
                            resource.name(),
                            hold.attempt(),
                            hold.token(),
                            hold.deadlineMicros(),
                            stamp.nowMicros(),
                            stamp.runId(),
                            secret));
        }

        private Mark mark(String client) {
            return marks.getOrDefault(new MarkKey(client, bucket), Mark.NONE);
        }

        private void raise(String client, long attempt, long end) {
            marks.merge(
                    new MarkKey(client, bucket),
                    new Mark(attempt, end, stamp.nowMicros()),
                    (old, now) -> new Mark(
                            Math.max(old.attempt(), now.attempt()),
                            Math.max(old.end(), now.end()),
                            now.touchedMicros()));
        }
    }
}
