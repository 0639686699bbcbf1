package dev.baton.jdbc;

import dev.baton.jdbc.Transactions.Asked;
import dev.baton.spi.Acquire;
import dev.baton.spi.Cancel;
import dev.baton.spi.Capabilities;
import dev.baton.spi.Deadline;
import dev.baton.spi.Heartbeat;
import dev.baton.spi.Note;
import dev.baton.spi.NoteView;
import dev.baton.spi.Release;
import dev.baton.spi.Resource;
import dev.baton.spi.ResourceView;
import dev.baton.spi.Stamp;
import dev.baton.spi.Store;
import dev.baton.spi.StoreConfig;
import dev.baton.spi.StoreFailure;
import dev.baton.spi.Timings;
import dev.baton.spi.WriteNote;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * The store on a database.
 * <ol>
 * <li>One statement acquires a lock that no other client wants, and one statement releases it. These statements
 * implement the rules of {@link dev.baton.spi.ResourceState} for the case in which there is nothing to advance; if they
 * change no row, the case is another one.
 * <li>Everything else runs the state machine itself, in one transaction that no other writer can enter: it reads the
 * rows, runs the command on them, and writes the changes. Either the database admits only one writer, or the
 * transaction locks the rows of the names first.
 * <li>A command that turns out to change nothing (a refused try, a poll of a ticket) is answered without a transaction.
 * </ol>
 *
 * <p>The row of a name counts its tickets, and every ticket changes it. A release in one statement therefore cannot
 * overlook a ticket that was written at the same time: one of the two sees the other.
 *
 * <p>A statement that has waited for a row may have begun before the row changed; it then leaves the row to a
 * transaction. So every later command knows what a transaction has written. The record of a cancelled attempt is
 * written before the transaction that changes its row begins, so every statement either sees the record or leaves the
 * row.
 *
 * <p>Thread-safe: all threads share a few connections.
 */
final class JdbcStore implements Store {
    /** Long enough for the few statements of a sweep, and for a lock time-out; a sweep of a file does not wait. */
    private static final long SERVER_SWEEP_NANOS = TimeUnit.SECONDS.toNanos(2);

    private static final long FILE_SWEEP_NANOS = TimeUnit.MILLISECONDS.toNanos(1);
    private static final long SWEEP_PAUSE_NANOS = TimeUnit.SECONDS.toNanos(5);
    private static final long LAST_SWEEP_NANOS = TimeUnit.MILLISECONDS.toNanos(200);

    private final String client;
    private final Timings timings;
    private final Stamps stamps;
    private final String namespaceId;
    private final List<String> warnings;
    private final Tables tables;
    private final Sessions writer;
    private final Sessions reader;
    private final Listening listening;
    private final Reading reading;
    private final Transactions transactions;
    private final Heartbeats heartbeats;
    private final Sweeper sweeper;
    private final Releases releases;
    private final Notes notes;
    private final RowLocks rowLocks;
    /** Null if the database has no such statement. */
    private final @Nullable Combiner<Acquire, Acquire.Reply> acquires;

    private final long sweepNanos;
    private volatile Deadline noSweep = Deadline.in(0);

    /**
     * Creates a store whose tables exist.
     *
     * @param config the configuration of the client
     * @param tables the tables of the namespace
     * @param stamps makes the stamps of answers
     * @param namespaceId the namespace's identity
     * @param warnings risky settings of the database
     * @param writer the sessions for all writes
     * @param reader the sessions for calls that only read
     * @param listening receives pushed grants
     */
    JdbcStore(
            StoreConfig config,
            Tables tables,
            Stamps stamps,
            String namespaceId,
            List<String> warnings,
            Sessions writer,
            Sessions reader,
            Listening listening) {
        this.client = config.clientId();
        this.timings = config.timings();
        this.stamps = stamps;
        this.namespaceId = namespaceId;
        this.warnings = warnings;
        this.tables = tables;
        this.writer = writer;
        this.reader = reader;
        this.listening = listening;
        this.reading = new Reading(tables, timings, stamps);
        this.rowLocks = new RowLocks(tables, writer);
        this.acquires = Combiner.on(
                writer,
                Sql.ACQUIRE_ALL,
                command -> command.resource().name(),
                (session, commands) -> tables.acquireAll(session, client, commands, stamps));
        this.transactions = new Transactions(tables, client, timings, stamps);
        this.heartbeats = new Heartbeats(tables, reading, rowLocks, transactions, client, timings, stamps);
        this.sweeper = new Sweeper(tables, transactions);
        this.releases = new Releases(tables, transactions, writer, rowLocks, sweeper, client, stamps);
        this.notes = new Notes(tables, transactions, reader, rowLocks, client, stamps);
        this.sweepNanos = writer == reader ? SERVER_SWEEP_NANOS : FILE_SWEEP_NANOS;
    }

    /** Returns the present capabilities: grants are only pushed while this client receives them. */
    @Override
    public Capabilities capabilities() {
        return listening.capabilities();
    }

    @Override
    public String namespaceId() {
        return namespaceId;
    }

    @Override
    public List<String> warnings() {
        return warnings;
    }

    @Override
    public Map<String, String> facts(long timeoutNanos) throws StoreFailure {
        return reader.run(Deadline.in(timeoutNanos), Examination::facts);
    }

    /** Runs one statement, and no sweep after it. */
    @Override
    public Stamp ping(long timeoutNanos) throws StoreFailure {
        return stamps.of(reader.run(Deadline.in(timeoutNanos), tables::now));
    }

    @Override
    public Acquire.Reply acquire(Acquire command, long timeoutNanos) throws StoreFailure {
        Deadline deadline = Deadline.in(timeoutNanos);
        String name = command.resource().name();
        Session.Work<Acquire.Reply> alone = session -> acquire(session, command, deadline);
        if (acquires == null || !isPlain(command)) {
            return swept(rowLocks.run(deadline, name, alone));
        }
        Session.Work<Acquire.Reply> rest = session -> acquireInSteps(session, command, deadline);
        return swept(rowLocks.run(deadline, name, () -> acquires.run(command, deadline, alone, rest), alone));
    }

    /** Whether one statement can do it, if no client waits. */
    private static boolean isPlain(Acquire command) {
        return command.resource().capacity() == 1 && command.weight() == 1;
    }

    private Acquire.Reply acquire(Session session, Acquire command, Deadline deadline)
            throws SQLException, StoreFailure {
        command.attempt().value();
        if (isPlain(command)) {
            Acquire.Granted granted = tables.acquire(session, client, command, stamps);
            if (granted != null) {
                return granted;
            }
        }
        return acquireInSteps(session, command, deadline);
    }

    private Acquire.Reply acquireInSteps(Session session, Acquire command, Deadline deadline)
            throws SQLException, StoreFailure {
        if (command.mode() == Acquire.Mode.TRY) {
            Acquire.Reply refused = reading.tryAcquire(session, client, command);
            if (refused != null) {
                return refused;
            }
        }
        if (command.mode() == Acquire.Mode.QUEUE) {
            listening.start(deadline);
        }
        Acquire heard = listening.isWorthwhile() ? command : withoutSecret(command);
        Acquire.Reply reply = transactions.run(
                session,
                List.of(new Asked(command.resource(), command.attempt().value())),
                names -> names.entry(command.resource()).acquire(client, heard));
        if (reply instanceof Acquire.Granted) {
            // A single statement would have done, unless the server was promoted under this connection.
            session.setTimeline(null);
        }
        return reply;
    }

    @Override
    public Heartbeat.Reply heartbeat(Heartbeat command, long timeoutNanos) throws StoreFailure {
        Heartbeat.Reply reply = heartbeats.beat(command, Deadline.in(timeoutNanos), reader, writer);
        sweepIfDue(reply.stamp());
        return reply;
    }

    @Override
    public Release.Reply release(Release command, long timeoutNanos) throws StoreFailure {
        Release.Reply reply = releases.release(command, Deadline.in(timeoutNanos));
        sweepIfDue(reply.stamp());
        return reply;
    }

    @Override
    public List<Release.Reply> releaseAll(List<Release> commands, long timeoutNanos) throws StoreFailure {
        if (commands.isEmpty()) {
            return List.of();
        }
        List<Release.Reply> replies = releases.releaseAll(commands, Deadline.in(timeoutNanos));
        sweepIfDue(replies.get(0).stamp());
        return replies;
    }

    /**
     * Records the cancel in a statement that commits by itself, and only then locks the name and reads the clock. An
     * acquire that does not see the record therefore began before that time, finds the row changed since, and does not
     * grant.
     */
    @Override
    public Stamp cancel(Cancel command, long timeoutNanos) throws StoreFailure {
        Deadline deadline = Deadline.in(timeoutNanos);
        Stamp stamp = Releases.repeatedly(
                deadline,
                () -> rowLocks.run(deadline, command.resource().name(), session -> {
                    command.number().value();
                    tables.recordCancelled(session, client, command.attempt());
                    return transactions.run(
                            session, List.of(new Asked(command.resource(), command.attempt())), names -> {
                                ResourceRow entry = names.entry(command.resource());
                                entry.stateFor(command.resource()).cancel(client, command, entry.ledger());
                                entry.touch();
                                return names.stamp();
                            });
                }));
        sweepIfDue(stamp);
        return stamp;
    }

    @Override
    public Optional<ResourceView> inspect(String name, long timeoutNanos) throws StoreFailure {
        return reader.run(Deadline.in(timeoutNanos), session -> view(name, tables.load(session, name)));
    }

    @Override
    public List<ResourceView> list(String prefix, String after, int limit, long timeoutNanos) throws StoreFailure {
        return reader.run(Deadline.in(timeoutNanos), session -> {
            List<ResourceView> views = new ArrayList<>();
            String last = after;
            while (views.size() < limit) {
                List<String> names = tables.names(session, prefix, last, limit);
                Map<String, Snapshot> snapshots = tables.load(session, names);
                for (int i = 0; i < names.size() && views.size() < limit; i++) {
                    Snapshot snapshot = snapshots.getOrDefault(names.get(i), Snapshot.NOTHING);
                    view(names.get(i), snapshot).ifPresent(views::add);
                }
                if (names.size() < limit) {
                    return views;
                }
                last = names.get(names.size() - 1);
            }
            return views;
        });
    }

    private Optional<ResourceView> view(String name, Snapshot snapshot) {
        return snapshot.isEmpty()
                ? Optional.empty()
                : snapshot.state(Resource.lock(name), timings, snapshot.nowMicros())
                        .view(stamps.of(snapshot.moment()));
    }

    @Override
    public boolean forceRelease(String name, long token, boolean now, long timeoutNanos) throws StoreFailure {
        return rowLocks.run(
                Deadline.in(timeoutNanos),
                name,
                session -> transactions.run(session, List.of(new Asked(Resource.lock(name), 0)), names -> {
                    ResourceRow entry = names.entry(Resource.lock(name));
                    return entry.isKnown() && entry.state().forceRelease(token, now, entry.ledger());
                }));
    }

    @Override
    public Resource withhold(Resource semaphore, int weight, long timeoutNanos) throws StoreFailure {
        return rowLocks.run(
                Deadline.in(timeoutNanos),
                semaphore.name(),
                session -> transactions.run(session, List.of(new Asked(semaphore, 0)), names -> {
                    ResourceRow entry = names.entry(semaphore);
                    return entry.stateFor(semaphore).withhold(semaphore, weight, entry.ledger());
                }));
    }

    @Override
    public NoteView note(String name, long timeoutNanos) throws StoreFailure {
        return notes.read(name, Deadline.in(timeoutNanos));
    }

    @Override
    public WriteNote.Reply writeNote(WriteNote command, long timeoutNanos) throws StoreFailure {
        return notes.write(command, Deadline.in(timeoutNanos));
    }

    @Override
    public WriteNote.Reply restoreNote(String name, Note note, long timeoutNanos) throws StoreFailure {
        return notes.restore(name, note, Deadline.in(timeoutNanos));
    }

    @Override
    public WriteNote.Reply forgetNote(String name, long timeoutNanos) throws StoreFailure {
        return notes.forget(name, Deadline.in(timeoutNanos));
    }

    @Override
    public void close() {
        try {
            writer.run(Deadline.in(LAST_SWEEP_NANOS), session -> {
                sweeper.sweepAll(session);
                return true;
            });
        } catch (StoreFailure e) {
            // The next client sweeps.
        }
        listening.close();
        writer.close();
        reader.close();
    }

    /** Returns the command for a client that would not receive its grant: other clients need not push it. */
    private static Acquire withoutSecret(Acquire command) {
        return new Acquire(
                command.resource(),
                command.attempt(),
                command.weight(),
                command.leaseMicros(),
                command.lockDelayMicros(),
                command.description(),
                command.mode(),
                0);
    }

    private Acquire.Reply swept(Acquire.Reply reply) {
        sweepIfDue(reply.stamp());
        return reply;
    }

    /** Sweeps after the answer is known: a few statements, once a second or after some hundred releases. */
    private void sweepIfDue(Stamp stamp) {
        if (!sweeper.isDue(stamp.nowMicros()) || noSweep.leftNanos() > 0 || rowLocks.isAnySuspected()) {
            return;
        }
        try {
            writer.runUnlessLocked(Deadline.in(sweepNanos), session -> {
                sweeper.sweep(session);
                return true;
            });
        } catch (StoreFailure e) {
            // The command itself was answered, and a later one sweeps. Waiting for the sweep each time would slow down
            // the callers.
            noSweep = Deadline.in(SWEEP_PAUSE_NANOS);
        }
    }
}
