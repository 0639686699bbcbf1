package dev.baton.jdbc;

import dev.baton.spi.Acquire;
import dev.baton.spi.Cancel;
import dev.baton.spi.Capabilities;
import dev.baton.spi.Deadline;
import dev.baton.spi.Heartbeat;
import dev.baton.spi.Release;
import dev.baton.spi.Resource;
import dev.baton.spi.ResourceView;
import dev.baton.spi.Stamp;
import dev.baton.spi.Store;
import dev.baton.spi.StoreFailure;
import dev.baton.spi.Timings;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * The store on a database.
 *
 * <ol>
 *   <li>A lock that nobody else wants is acquired and released by one statement each. These statements are the rules of
 *       {@link dev.baton.spi.ResourceState} for the case in which there is nothing to advance; where they change no
 *       row, the case is another one.
 *   <li>Everything else runs the machine itself: its rows are read, the command is run on them, and what changed is
 *       written, in one transaction that no other writer can enter.
 *   <li>What turns out to change nothing (a refused try, a poll of a ticket) is answered without a transaction.
 * </ol>
 *
 * <p>The row of a name counts its tickets, and every ticket changes it. A release that takes one statement therefore
 * cannot overlook a ticket that was written at the same time: one of the two sees the other.
 *
 * <p>Thread-safe: all threads share one connection that writes and one that only reads.
 */
final class JdbcStore implements Store {
    private static final long SWEEP_NANOS = TimeUnit.MILLISECONDS.toNanos(1);
    private static final long LAST_SWEEP_NANOS = TimeUnit.MILLISECONDS.toNanos(200);

    private final Capabilities capabilities;
    private final String client;
    private final Timings timings;
    private final String runId;
    private final Tables tables;
    private final Session writer;
    private final Session reader;
    private final Reading reading;
    private final Sweeper sweeper;

    /**
     * A store whose tables exist.
     *
     * @param runId identity of the data
     * @param writer the session for everything that writes
     * @param reader the session for everything that only reads
     */
    JdbcStore(
            Capabilities capabilities,
            String client,
            Timings timings,
            String runId,
            Tables tables,
            Session writer,
            Session reader) {
        this.capabilities = capabilities;
        this.client = client;
        this.timings = timings;
        this.runId = runId;
        this.tables = tables;
        this.writer = writer;
        this.reader = reader;
        this.reading = new Reading(tables, timings, runId);
        this.sweeper = new Sweeper(tables, timings, runId);
    }

    @Override
    public Capabilities capabilities() {
        return capabilities;
    }

    @Override
    public Map<String, String> facts(long timeoutNanos) throws StoreFailure {
        return reader.run(Deadline.in(timeoutNanos), Session::facts);
    }

    @Override
    public Acquire.Reply acquire(Acquire command, long timeoutNanos) throws StoreFailure {
        return swept(writer.run(Deadline.in(timeoutNanos), session -> acquire(session, command)));
    }

    private Acquire.Reply acquire(Session session, Acquire command) throws SQLException, StoreFailure {
        command.attempt().value();
        if (command.resource().capacity() == 1 && command.weight() == 1) {
            long[] granted = tables.acquire(session, client, command);
            if (granted != null) {
                return new Acquire.Granted(stamp(granted[2]), granted[0], granted[1]);
            }
        }
        if (command.mode() == Acquire.Mode.TRY) {
            Acquire.Reply refused = reading.tryAcquire(session, client, command);
            if (refused != null) {
                return refused;
            }
        }
        return transaction(session, names -> {
            Entry entry = names.entry(command.resource());
            return entry.stateFor(command.resource()).acquire(client, command, entry.moment());
        });
    }

    @Override
    public Heartbeat.Reply heartbeat(Heartbeat command, long timeoutNanos) throws StoreFailure {
        Deadline deadline = Deadline.in(timeoutNanos);
        command.number().value();
        if (command.holds().isEmpty() && !command.tickets().isEmpty()) {
            Optional<Heartbeat.Reply> unchanged =
                    reader.run(deadline, session -> reading.poll(session, client, command.tickets()));
            if (unchanged.isPresent()) {
                return unchanged.get();
            }
        }
        Heartbeat.Reply reply =
                writer.run(deadline, session -> transaction(session, names -> heartbeat(names, command)));
        sweepIfDue(reply.stamp());
        return reply;
    }

    private Heartbeat.Reply heartbeat(Transaction names, Heartbeat command) throws SQLException {
        long number = command.number().value();
        List<Heartbeat.HoldReply> holds = new ArrayList<>(command.holds().size());
        for (Heartbeat.Hold hold : command.holds()) {
            Entry entry = names.entry(hold.resource());
            holds.add(entry.stateFor(hold.resource()).heartbeat(client, hold, number, entry.moment()));
        }
        List<Heartbeat.TicketReply> tickets = new ArrayList<>(command.tickets().size());
        for (Heartbeat.Ticket ticket : command.tickets()) {
            Entry entry = names.entry(ticket.resource());
            tickets.add(entry.stateFor(ticket.resource()).heartbeat(client, ticket.attempt(), entry.moment()));
        }
        return new Heartbeat.Reply(names.stamp(), holds, tickets);
    }

    @Override
    public Release.Reply release(Release command, long timeoutNanos) throws StoreFailure {
        Release.Reply reply = writer.run(Deadline.in(timeoutNanos), session -> {
            command.number().value();
            Release.Reply released = releaseAlone(session, command);
            return released != null ? released : transaction(session, names -> releaseAndHandOn(names, command));
        });
        sweepIfDue(reply.stamp());
        return reply;
    }

    @Override
    public List<Release.Reply> releaseAll(List<Release> commands, long timeoutNanos) throws StoreFailure {
        if (commands.isEmpty()) {
            return List.of();
        }
        List<Release.Reply> replies = writer.run(
                Deadline.in(timeoutNanos),
                session -> transaction(session, names -> releaseAll(session, names, commands)));
        sweepIfDue(replies.get(0).stamp());
        return replies;
    }

    private List<Release.Reply> releaseAll(Session session, Transaction names, List<Release> commands)
            throws SQLException {
        List<Release.Reply> replies = new ArrayList<>(commands.size());
        for (Release command : commands) {
            command.number().value();
            // A name that was loaded is written back at the end: its rows must not change until then.
            Release.Reply released = names.isLoaded(command.resource()) ? null : releaseAlone(session, command);
            replies.add(released != null ? released : releaseAndHandOn(names, command));
        }
        return replies;
    }

    private Release.@Nullable Reply releaseAlone(Session session, Release command) throws SQLException {
        if (command.resource().capacity() != 1) {
            return null;
        }
        long[] released = tables.release(session, client, command);
        if (released == null) {
            return null;
        }
        sweeper.released();
        return new Release.Reply(stamp(released[0]), true);
    }

    private Release.Reply releaseAndHandOn(Transaction names, Release command) throws SQLException {
        Entry entry = names.entry(command.resource());
        boolean released = entry.stateFor(command.resource()).release(client, command, entry.moment());
        return new Release.Reply(names.stamp(), released);
    }

    @Override
    public Stamp cancel(Cancel command, long timeoutNanos) throws StoreFailure {
        Stamp stamp = writer.run(
                Deadline.in(timeoutNanos),
                session -> transaction(session, names -> {
                    command.number().value();
                    tables.recordCancelled(
                            session, client, command.attempt(), names.stamp().nowMicros());
                    Entry entry = names.entry(command.resource());
                    entry.stateFor(command.resource()).cancel(client, command, entry.moment());
                    return names.stamp();
                }));
        sweepIfDue(stamp);
        return stamp;
    }

    @Override
    public Optional<ResourceView> inspect(String name, long timeoutNanos) throws StoreFailure {
        return reader.run(Deadline.in(timeoutNanos), session -> view(session, name));
    }

    @Override
    public List<ResourceView> list(String prefix, int limit, long timeoutNanos) throws StoreFailure {
        return reader.run(Deadline.in(timeoutNanos), session -> {
            List<ResourceView> views = new ArrayList<>();
            String after = "";
            while (views.size() < limit) {
                List<String> names = tables.names(session, prefix, after, limit);
                for (int i = 0; i < names.size() && views.size() < limit; i++) {
                    view(session, names.get(i)).ifPresent(views::add);
                }
                if (names.size() < limit) {
                    return views;
                }
                after = names.get(names.size() - 1);
            }
            return views;
        });
    }

    private Optional<ResourceView> view(Session session, String name) throws SQLException {
        Snapshot snapshot = tables.load(session, name);
        return snapshot.isEmpty()
                ? Optional.empty()
                : snapshot.state(Resource.lock(name), timings, snapshot.nowMicros())
                        .view(stamp(snapshot.nowMicros()));
    }

    @Override
    public boolean forceRelease(String name, long token, boolean now, long timeoutNanos) throws StoreFailure {
        return writer.run(
                Deadline.in(timeoutNanos),
                session -> transaction(session, names -> {
                    Entry entry = names.entry(Resource.lock(name));
                    return entry.isKnown() && entry.state().forceRelease(token, now, entry.moment());
                }));
    }

    @Override
    public void close() {
        try {
            writer.run(
                    Deadline.in(LAST_SWEEP_NANOS),
                    session -> session.transaction(each -> {
                        sweeper.sweepAll(each);
                        return true;
                    }));
        } catch (StoreFailure e) {
            // Whoever comes next sweeps.
        }
        writer.close();
        reader.close();
    }

    /** Work on names at one moment. */
    private interface Step<T> {
        T on(Transaction names) throws SQLException;
    }

    private <T> T transaction(Session session, Step<T> step) throws SQLException, StoreFailure {
        return session.transaction(each -> {
            Transaction names = new Transaction(tables, each, timings, stamp(tables.now(each)));
            T result = step.on(names);
            names.save();
            return result;
        });
    }

    private Acquire.Reply swept(Acquire.Reply reply) {
        sweepIfDue(reply.stamp());
        return reply;
    }

    /** After the answer is known, and only if nobody has to wait for it. */
    private void sweepIfDue(Stamp stamp) {
        if (!sweeper.isDue(stamp.nowMicros())) {
            return;
        }
        try {
            writer.run(
                    Deadline.in(SWEEP_NANOS),
                    session -> session.transaction(each -> {
                        sweeper.sweep(each);
                        return true;
                    }));
        } catch (StoreFailure e) {
            // The command itself was answered; a later one sweeps.
        }
    }

    private Stamp stamp(long nowMicros) {
        return new Stamp(runId, nowMicros, 0);
    }
}
