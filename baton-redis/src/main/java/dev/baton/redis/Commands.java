package dev.baton.redis;

import dev.baton.spi.Acquire;
import dev.baton.spi.Cancel;
import dev.baton.spi.Heartbeat;
import dev.baton.spi.Kind;
import dev.baton.spi.Release;
import dev.baton.spi.StoreConfig;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/** How the SPI's commands are written as calls of scripts. Numbers are drawn here: at the place on the wire. */
final class Commands {
    /** So that one call keeps the server busy for well under a millisecond: so many holds that nobody else waits for. */
    static final int MOST_ENTRIES = 128;

    /** A ticket, or a hold that others wait for, costs the server as much as so many of them. */
    private static final int CROWDED_ENTRY = 4;

    /** So that one call fits in what may be unanswered, with others beside it. */
    private static final int MOST_BYTES = Pipeline.MOST_IN_FLIGHT / 2;

    private static final int ENTRY = 5 * Double.BYTES;
    private static final int BYTES_PER_ENTRY = 64 + ENTRY;

    /** Of a description: calls that work on a queue read and write it. */
    private static final int LONGEST_DESCRIPTION = 512;

    /** Where scripts look for a clock that replaces the server's. */
    private static final int CLOCK_ARGUMENT = 3;

    private static final long CONFIRM = 0;
    private static final long EXTEND = 1;
    private static final long TICKET = 2;

    private final Scripts scripts;
    private final Keys keys;
    private final byte[] client;
    private final @Nullable LongSupplier clock;
    private final AcquireReleaseBatch turns;

    Commands(Scripts scripts, Keys keys, StoreConfig config, @Nullable LongSupplier clock) {
        this.scripts = scripts;
        this.keys = keys;
        this.client = Keys.bytes(config.clientId());
        this.clock = clock;
        this.turns = new AcquireReleaseBatch(keys, this, config.timings().graceMicros());
    }

    /** A command, by its script's hash or with its whole text. */
    @FunctionalInterface
    interface Request extends Call.Encoder {
        void write(RespWriter out, Wire wire, boolean whole);

        @Override
        default void encode(RespWriter out, Wire wire) {
            write(out, wire, false);
        }
    }

    Request acquire(Acquire command) {
        return turns.acquire(command);
    }

    Request release(Release command) {
        return turns.release(command);
    }

    /** At most {@link AcquireReleaseBatch#MOST} at a time. */
    Request releases(List<Release> some) {
        return turns.releases(some);
    }

    Request cancel(Cancel command) {
        return (out, wire, whole) -> {
            begin(out, Script.Name.CANCEL, whole, 1, 1);
            keys.write(command.resource().name(), out);
            common(out, wire, 2 * Double.BYTES + client.length)
                    .part(command.attempt())
                    .part(command.number().value())
                    .part(client)
                    .end();
            finish(out, 1);
        };
    }

    Request force(String name, long token, boolean now) {
        return (out, wire, whole) -> {
            begin(out, Script.Name.FORCE, whole, 1, 1);
            keys.write(name, out);
            common(out, wire, 2 * Double.BYTES).part(token).part(now ? 1 : 0).end();
            finish(out, 1);
        };
    }

    /** Queues from a number on, 0 for the first: an answer has a part of a long one. */
    Request inspect(List<String> names, long from) {
        return (out, wire, whole) -> {
            begin(out, Script.Name.INSPECT, whole, names.size(), 1);
            names.forEach(name -> keys.write(name, out));
            common(out, wire, Double.BYTES).part(from).end();
            finish(out, 1);
        };
    }

    /**
     * A heartbeat in calls that each keep within the bounds.
     *
     * @param crowded whether others wait for many of the holds
     */
    List<Heartbeat> split(Heartbeat whole, boolean crowded) {
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
                    + Keys.bytes(name).length
                    + (hold != null ? description(hold.description()).length : 0);
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
            for (Heartbeat.Hold hold : command.holds()) {
                long what = hold.extend() ? EXTEND : CONFIRM;
                entry(entries, hold.attempt(), hold.token(), hold.leaseMicros(), what, hold.description());
            }
            command.tickets().forEach(ticket -> entry(entries, ticket.attempt(), 0, 0, TICKET, ""));
            int count = command.holds().size() + command.tickets().size();
            begin(out, Script.Name.HEARTBEAT, whole, count, 2);
            command.holds().forEach(hold -> keys.write(hold.resource().name(), out));
            command.tickets().forEach(ticket -> keys.write(ticket.resource().name(), out));
            common(out, wire, client.length).part(client).end();
            out.begin(entries.size()).part(entries).end();
            finish(out, 2);
        };
    }

    private static void entry(
            RespWriter out, long attempt, long token, long leaseMicros, long what, String description) {
        byte[] owner = description(description);
        out.part(attempt)
                .part(token)
                .part(leaseMicros)
                .part(what)
                .part(owner.length)
                .part(owner);
    }

    /** A description as it is stored: its beginning, if it is long. */
    static byte[] description(String text) {
        byte[] bytes = Keys.bytes(text.length() <= LONGEST_DESCRIPTION ? text : text.substring(0, LONGEST_DESCRIPTION));
        if (bytes.length <= LONGEST_DESCRIPTION) {
            return bytes;
        }
        int end = LONGEST_DESCRIPTION;
        while ((bytes[end] & 0xC0) == 0x80) {
            end--;
        }
        return Arrays.copyOf(bytes, end);
    }

    byte[] client() {
        return client;
    }

    /** Begins a call; keys and so many arguments follow, and then {@link #finish}. */
    RespWriter begin(RespWriter out, Script.Name name, boolean whole, int count, int arguments) {
        return scripts.begin(out, name, whole, count, clock == null ? arguments : CLOCK_ARGUMENT);
    }

    /** Begins the argument that all scripts have, with so many bytes to follow. */
    RespWriter common(RespWriter out, Wire wire, int more) {
        return out.begin(Answer.RUN_ID_LENGTH + more).part(Keys.bytes(wire.runId()));
    }

    /** Ends a call with the clock that replaces the server's, if there is one. */
    void finish(RespWriter out, int arguments) {
        if (clock != null) {
            for (int i = arguments + 1; i < CLOCK_ARGUMENT; i++) {
                out.begin(0).end();
            }
            out.begin(Double.BYTES).part(clock.getAsLong()).end();
        }
    }

    /** The server's clock, or the one that replaces it. */
    long clock(long serverMicros) {
        return clock == null ? serverMicros : clock.getAsLong();
    }

    static int number(Kind kind) {
        return switch (kind) {
            case LOCK -> 0;
            case READ_WRITE -> 1;
            case SEMAPHORE -> 2;
        };
    }

    static Kind kind(long number) {
        return number == 0 ? Kind.LOCK : number == 1 ? Kind.READ_WRITE : Kind.SEMAPHORE;
    }
}
