package dev.baton.memcached;

import dev.baton.internal.store.FinishedAttempts;
import dev.baton.spi.Acquire;
import dev.baton.spi.Deadline;
import dev.baton.spi.Heartbeat;
import dev.baton.spi.ResourceState;
import dev.baton.spi.ResourceView.Hold;
import dev.baton.spi.Stamp;
import dev.baton.spi.StoreFailure;
import dev.baton.spi.StoreFailure.Effect;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/**
 * The commands of one client.
 * <ol>
 * <li>Acquire: {@code add}, one round trip; the version of the item is the token. If there is already an item, the same
 * round trip tells whose it is.
 * <li>Everything else: reads the item, runs the command on {@link ResourceState}, and replaces or deletes exactly the
 * version that was read. If another client was faster, it tries again.
 * </ol>
 *
 * <p>Thread-safe.
 */
final class Locks {
    /** A command on the state of one name. */
    interface Step<T> {
        T run(ResourceState state, StoreLedger ledger);
    }

    /** An answer that is valid after an item has been written. */
    private record Pending(int index, Heartbeat.HoldReply answer, String write) {}

    private final String client;
    private final Keys keys;
    private final Items items;
    private final LongSupplier clock;
    private final FinishedAttempts marks = new FinishedAttempts();

    Locks(String client, Keys keys, Items items, LongSupplier clock) {
        this.client = client;
        this.keys = keys;
        this.items = items;
        this.clock = clock;
    }

    /** Returns the server and the time, before anything is sent. */
    Stamp stamp(Session session) {
        return new Stamp(session.process(), clock.getAsLong(), 0);
    }

    /** From now on no acquire of this attempt begins to write. */
    void refuse(String name, long attempt) {
        marks.add(name, attempt);
    }

    Acquire.Reply acquire(Session session, Acquire command, Deadline deadline) throws IOException, StoreFailure {
        String name = command.resource().name();
        long attempt = command.attempt().value();
        Stamp stamp = stamp(session);
        Found found = null;
        if (!marks.contains(name, attempt)) {
            String key = keys.of(name);
            long end = stamp.nowMicros() + command.leaseMicros();
            List<Reply> replies = session.wire()
                    .ask(List.of(items.add(session, key, wanted(command, end), stamp), Commands.get(key)), deadline);
            found = items.found(session, key, name, replies.get(1), stamp);
            Reply added = replies.get(0);
            // A server without memory still tells who holds the lock.
            if (added.isError() && found.item() == null) {
                throw new StoreFailure(Effect.NONE, "no room for \"" + name + "\": " + added.value(), null);
            }
            if (!added.isError() && added.isDone()) {
                marks.add(name, attempt);
                return granted(found, attempt, stamp, end);
            }
        }
        // There is no queue: a waiter is told who holds the lock, and asks again.
        Acquire trying = command.withMode(Acquire.Mode.TRY);
        Acquire.Reply reply =
                change(session, name, stamp, deadline, found, (state, ledger) -> state.acquire(client, trying, ledger));
        return reply instanceof Acquire.Granted granted && granted.token() == StoreLedger.UNKNOWN_TOKEN
                ? granted(look(session, name, stamp, deadline), attempt, stamp, granted.deadlineMicros())
                : reply;
    }

    /** Returns the hold that was just written, as it was read back; if it is missing, it was already evicted. */
    private Acquire.Reply granted(Found found, long attempt, Stamp stamp, long deadlineMicros) {
        Hold hold = found.item() == null ? null : found.item().hold();
        return hold != null && hold.client().equals(client) && hold.attempt() == attempt
                ? new Acquire.Granted(stamp, hold.token(), deadlineMicros)
                : new Acquire.Stale(stamp);
    }

    private Item wanted(Acquire command, long deadlineMicros) {
        return new Item(
                command.resource().name(),
                new Hold(
                        client,
                        command.attempt().value(),
                        command.weight(),
                        StoreLedger.UNKNOWN_TOKEN,
                        deadlineMicros,
                        command.lockDelayMicros(),
                        true,
                        false,
                        command.description()),
                0);
    }

    /** Runs a command on the present state, and writes the difference. */
    <T> T change(Session session, String name, Deadline deadline, Step<T> step) throws IOException, StoreFailure {
        return change(session, name, stamp(session), deadline, null, step);
    }

    private <T> T change(
            Session session, String name, Stamp stamp, Deadline deadline, @Nullable Found first, Step<T> step)
            throws IOException, StoreFailure {
        String key = keys.of(name);
        Found found = first;
        while (true) {
            if (found == null) {
                found = look(session, name, stamp, deadline);
            }
            ResourceState state = items.state(name, found);
            StoreLedger ledger = new StoreLedger(name, stamp, marks);
            T answer = step.run(state, ledger);
            String write = items.change(session, key, found, state, stamp);
            if (write == null
                    || session.wire().ask(List.of(write), deadline).get(0).isDone()) {
                ledger.commit();
                return answer;
            }
            // Another client was faster.
            found = null;
        }
    }

    /** Reads the item of a name. */
    Found look(Session session, String name, Stamp stamp, Deadline deadline) throws IOException, StoreFailure {
        String key = keys.of(name);
        Reply reply = session.wire().ask(List.of(Commands.get(key)), deadline).get(0);
        return items.found(session, key, name, reply, stamp);
    }

    /** Reads all items of a heartbeat at once, and writes all changed items at once. */
    Heartbeat.Reply heartbeat(Session session, Heartbeat command, Deadline deadline) throws IOException, StoreFailure {
        Stamp stamp = stamp(session);
        List<Heartbeat.HoldReply> answers = new ArrayList<>();
        List<Pending> pending = new ArrayList<>();
        List<Reply> read = session.wire().ask(reads(command), deadline);
        for (int i = 0; i < command.holds().size(); i++) {
            answers.add(beat(session, command, i, stamp, read.get(i), pending));
        }
        List<Reply> written =
                session.wire().ask(pending.stream().map(Pending::write).toList(), deadline);
        for (int i = 0; i < pending.size(); i++) {
            int index = pending.get(i).index();
            if (!written.get(i).isDone()) {
                Heartbeat.Hold hold = command.holds().get(index);
                answers.set(index, change(session, hold.resource().name(), stamp, deadline, null, step(hold, command)));
            }
        }
        List<Heartbeat.TicketReply> tickets = command.tickets().stream()
                .<Heartbeat.TicketReply>map(ticket -> new Heartbeat.Gone())
                .toList();
        return new Heartbeat.Reply(stamp, answers, tickets);
    }

    private List<String> reads(Heartbeat command) {
        List<String> reads = new ArrayList<>();
        command.holds()
                .forEach(hold -> reads.add(Commands.get(keys.of(hold.resource().name()))));
        if (reads.isEmpty()) {
            reads.add(Commands.nothing());
        }
        return reads;
    }

    private Heartbeat.HoldReply beat(
            Session session, Heartbeat command, int index, Stamp stamp, Reply read, List<Pending> pending)
            throws IOException {
        Heartbeat.Hold hold = command.holds().get(index);
        String name = hold.resource().name();
        String key = keys.of(name);
        try {
            Found found = items.found(session, key, name, read, stamp);
            ResourceState state = items.state(name, found);
            Heartbeat.HoldReply answer = step(hold, command).run(state, new StoreLedger(name, stamp, marks));
            String write = items.change(session, key, found, state, stamp);
            if (write != null) {
                pending.add(new Pending(index, answer, write));
            }
            return answer;
        } catch (StoreFailure overwritten) {
            // The present item, of any kind, is not this hold.
            return new Heartbeat.Lost(Heartbeat.Reason.EXPIRED);
        }
    }

    private Step<Heartbeat.HoldReply> step(Heartbeat.Hold named, Heartbeat command) {
        Heartbeat.Hold bounded = new Heartbeat.Hold(
                named.resource(),
                named.attempt(),
                named.token(),
                named.weight(),
                Math.min(named.leaseMicros(), Items.MAX_MICROS - named.lockDelayMicros()),
                named.lockDelayMicros(),
                named.extend(),
                named.description(),
                named.restorable());
        return (state, ledger) ->
                state.heartbeat(client, bounded, command.number().value(), ledger);
    }
}
