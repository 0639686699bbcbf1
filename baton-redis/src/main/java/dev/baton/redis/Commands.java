package dev.baton.redis;

import dev.baton.spi.Acquire;
import dev.baton.spi.Cancel;
import dev.baton.spi.Heartbeat;
import dev.baton.spi.Kind;
import dev.baton.spi.Note;
import dev.baton.spi.Protocol;
import dev.baton.spi.Release;
import dev.baton.spi.Resource;
import dev.baton.spi.StoreConfig;
import dev.baton.spi.WriteNote;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.LongSupplier;
import java.util.stream.Stream;

/** Writes the SPI's commands as calls of scripts. Draws numbers here, in the order on the wire. */
final class Commands {
    /** Keeps one call well under a millisecond of the server's time: this many holds without waiters. */
    static final int MOST_ENTRIES = 128;

    /** A ticket, or a hold with waiters, costs the server as much as this many of them. */
    private static final int CROWDED_ENTRY = 4;

    /** Lets one call fit into the bound for unanswered bytes, with others beside it. */
    private static final int MOST_BYTES = Outbound.MOST_IN_FLIGHT / 4 * 3;

    private static final int ENTRY = 10 * Double.BYTES;
    private static final int BYTES_PER_ENTRY = 128 + ENTRY;

    private static final long CONFIRM = 0;
    private static final long EXTEND = 1;
    private static final long TICKET = 2;
    /** Added to what a hold asks for, if the entry has all that is needed to restore it. */
    private static final long RESTORE = 4;
    /** Added for a hold that may have been a writer's, with its weight. */
    private static final long READS = 8;

    private static final int READ_NOTE = 'R';
    private static final int WRITE_NOTE = 'W';
    private static final int RESTORE_NOTE = 'P';
    private static final int FORGET_NOTE = 'F';

    private final Keys keys;
    private final ScriptCalls calls;
    /** One for each part of the names whose commands can travel together. */
    private final List<AcquireReleaseBatch> turns;

    private final KnownGrace grace;

    /**
     * Creates them for one node.
     *
     * @param sharded whether a call may only have names of one bucket, as on a cluster
     */
    Commands(ScriptCalls calls, Keys keys, StoreConfig config, KnownGrace grace, boolean sharded) {
        this.keys = keys;
        this.calls = calls;
        this.grace = grace;
        this.turns = Stream.generate(() ->
                        new AcquireReleaseBatch(keys, calls, config.timings().graceMicros(), grace))
                .limit(sharded ? Protocol.BUCKETS : 1)
                .toList();
    }

    private AcquireReleaseBatch turnsOf(Resource resource) {
        return turns.get(turns.size() == 1 ? 0 : Protocol.bucketOf(resource.name()));
    }

    Request acquire(Acquire command) {
        return acquire(command, 0);
    }

    /**
     * Asks for a hold.
     *
     * @param leastToken the token that the hold shall have if it is granted at once, unless there was a greater one; 0 for one
     *     by the server's clock. If the attempt was granted before, its token grows to this
     */
    Request acquire(Acquire command, long leastToken) {
        return turnsOf(command.resource()).acquire(command, leastToken);
    }

    Request release(Release command) {
        return turnsOf(command.resource()).release(command);
    }

    /** Returns many releases in as few calls as the bounds allow. */
    List<Request> releases(List<Release> all) {
        Map<AcquireReleaseBatch, List<Release>> parts = new LinkedHashMap<>();
        all.forEach(each -> parts.computeIfAbsent(turnsOf(each.resource()), first -> new ArrayList<>())
                .add(each));
        List<Request> requests = new ArrayList<>();
        parts.forEach((batch, part) -> {
            for (int from = 0; from < part.size(); from += AcquireReleaseBatch.MOST) {
                requests.add(
                        batch.releases(part.subList(from, Math.min(part.size(), from + AcquireReleaseBatch.MOST))));
            }
        });
        return requests;
    }

    Request cancel(Cancel command) {
        return (out, wire, whole) -> {
            calls.begin(out, Script.Name.CANCEL, whole, 1, 1);
            keys.write(command.resource().name(), out);
            calls.common(out, wire, 2 * Double.BYTES + calls.client().length)
                    .part(command.attempt())
                    .part(command.number().value())
                    .part(calls.client())
                    .end();
            calls.finish(out, 1);
        };
    }

    Request force(String name, long token, boolean now) {
        return (out, wire, whole) -> {
            calls.begin(out, Script.Name.FORCE, whole, 1, 1);
            keys.write(name, out);
            calls.common(out, wire, 2 * Double.BYTES)
                    .part(token)
                    .part(now ? 1 : 0)
                    .end();
            calls.finish(out, 1);
        };
    }

    Request withhold(Resource semaphore, int weight) {
        return (out, wire, whole) -> {
            calls.begin(out, Script.Name.WITHHOLD, whole, 1, 1);
            keys.write(semaphore.name(), out);
            calls.common(out, wire, 2 * Double.BYTES)
                    .part(weight)
                    .part(semaphore.capacity())
                    .end();
            calls.finish(out, 1);
        };
    }

    Request readNote(String name) {
        return note(name, READ_NOTE, new RespWriter());
    }

    Request writeNote(WriteNote command) {
        RespWriter hold =
                new RespWriter().part(calls.client()).part(command.attempt()).part(command.token());
        return note(command.resource().name(), WRITE_NOTE, stored(hold, command.note()));
    }

    Request restoreNote(String name, Note note) {
        return note(name, RESTORE_NOTE, stored(new RespWriter(), note));
    }

    Request forgetNote(String name) {
        return note(name, FORGET_NOTE, new RespWriter());
    }

    /** Adds a note in its stored form. */
    private static RespWriter stored(RespWriter out, Note note) {
        return out.octet(Stored.NOTE)
                .part(note.token())
                .eightOctets(note.number())
                .part(note.bytes());
    }

    private Request note(String name, int what, RespWriter more) {
        return (out, wire, whole) -> {
            calls.begin(out, Script.Name.NOTES, whole, 1, 1);
            keys.writeWithNote(name, out);
            calls.common(out, wire, 1 + more.size()).octet(what).part(more).end();
            calls.finish(out, 1);
        };
    }

    /** Has the server look whether it forgot a bucket, which then begins a grace period. */
    Request lookAfter(int bucket) {
        return (out, wire, whole) -> {
            calls.beginWithKeys(out, Script.Name.FOUND, whole, 1, 1).bulk(keys.bucket(bucket));
            calls.common(out, wire, Double.BYTES).part(1).end();
            calls.finish(out, 1);
        };
    }

    /** Shows queues from a number on, 0 for the first: an answer has only a part of a long queue. */
    Request inspect(List<String> names, long from) {
        return (out, wire, whole) -> {
            calls.begin(out, Script.Name.INSPECT, whole, names.size(), 1);
            names.forEach(name -> keys.write(name, out));
            calls.common(out, wire, Double.BYTES).part(from).end();
            calls.finish(out, 1);
        };
    }

    /**
     * Splits a heartbeat into calls that each keep within the bounds.
     *
     * @param crowded whether many of the holds have waiters
     */
    static List<Heartbeat> split(Heartbeat whole, boolean crowded) {
        List<Heartbeat> parts = new ArrayList<>();
        List<Heartbeat.Hold> holds = new ArrayList<>();
        List<Heartbeat.Ticket> tickets = new ArrayList<>();
        int bytes = 0;
        int work = 0;
        int all = whole.holds().size() + whole.tickets().size();
        for (int i = 0; i < all; i++) {
            boolean isHold = i < whole.holds().size();
            Heartbeat.Hold hold = isHold ? whole.holds().get(i) : null;
            Heartbeat.Ticket ticket =
                    isHold ? null : whole.tickets().get(i - whole.holds().size());
            String name = hold != null
                    ? hold.resource().name()
                    : ticket != null ? ticket.resource().name() : "";
            int more = BYTES_PER_ENTRY
                    + Keys.PER_NAME * Keys.bytes(name).length
                    + Stored.description(hold != null ? hold.description() : ticket != null ? ticket.description() : "")
                            .length;
            int worth = isHold && !crowded ? 1 : CROWDED_ENTRY;
            if (work + worth > MOST_ENTRIES || bytes + more > MOST_BYTES) {
                parts.add(new Heartbeat(whole.number(), holds, tickets));
                holds = new ArrayList<>();
                tickets = new ArrayList<>();
                bytes = 0;
                work = 0;
            }
            bytes += more;
            work += worth;
            if (hold != null) {
                holds.add(hold);
            } else if (ticket != null) {
                tickets.add(ticket);
            }
        }
        parts.add(new Heartbeat(whole.number(), holds, tickets));
        return parts;
    }

    Request heartbeat(Heartbeat command) {
        return (out, wire, whole) -> {
            RespWriter entries = new RespWriter();
            boolean isGrace = grace.isOn();
            command.holds().forEach(hold -> entry(entries, hold, isGrace));
            command.tickets().forEach(ticket -> entry(entries, ticket));
            int count = command.holds().size() + command.tickets().size();
            calls.begin(out, Script.Name.HEARTBEAT, whole, count, 2);
            command.holds().forEach(hold -> keys.write(hold.resource().name(), out));
            command.tickets().forEach(ticket -> keys.write(ticket.resource().name(), out));
            calls.common(out, wire, Double.BYTES + calls.client().length)
                    .part(command.number().value())
                    .part(calls.client())
                    .end();
            out.begin(entries.size()).part(entries).end();
            calls.finish(out, 2);
        };
    }

    private static void entry(RespWriter out, Heartbeat.Hold hold, boolean isGrace) {
        boolean restores = isGrace && hold.restorable();
        boolean reads =
                hold.resource().kind() == Kind.READ_WRITE && hold.resource().isSharedAt(hold.weight());
        byte[] owner = Stored.description(hold.description());
        long what = hold.extend() ? EXTEND : CONFIRM;
        out.part(hold.attempt())
                .part(hold.token())
                .part(hold.leaseMicros())
                .part(what + (restores ? RESTORE : 0) + (reads ? READS : 0))
                .part(owner.length);
        if (restores) {
            out.part(hold.weight())
                    .part(Stored.number(hold.resource().kind()))
                    .part(hold.resource().capacity())
                    .part(hold.lockDelayMicros());
        }
        if (reads) {
            out.part(hold.weight());
        }
        out.part(owner);
    }

    private static void entry(RespWriter out, Heartbeat.Ticket ticket) {
        byte[] waiter = Stored.description(ticket.description());
        out.part(ticket.attempt())
                .part(0)
                .part(0)
                .part(TICKET)
                .part(waiter.length)
                .part(waiter);
    }

    /** Returns a clock for ages, in nanoseconds. */
    LongSupplier nanos() {
        return calls.nanos();
    }
}
