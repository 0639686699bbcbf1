package dev.baton.jdbc;

import dev.baton.spi.Acquire;
import dev.baton.spi.Heartbeat;
import dev.baton.spi.Note;
import dev.baton.spi.Protocol;
import dev.baton.spi.Push;
import dev.baton.spi.Release;
import dev.baton.spi.ResourceState;
import dev.baton.spi.ResourceView.Hold;
import dev.baton.spi.ResourceView.Ticket;
import dev.baton.spi.Stamp;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.Function;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/**
 * A namespace's rows: one statement per method.
 *
 * <p>The lease table has a row 0 for every known name: its kind and capacity, the number of waiting tickets, the end of
 * a lock-delay, the last token; and for a capacity of 1 also the one hold. Holds of larger capacities have rows of
 * their own after it. The queue is in the ticket table, and the name's note in
 * the note table, whose rows no sweep takes. Thread-safe as far as its sessions are.
 */
final class Tables {
    private final String namespace;
    private final @Nullable LongSupplier clock;

    /**
     * Creates the tables of a namespace.
     *
     * @param clock replaces the database's clock; null to go by that
     */
    Tables(String namespace, @Nullable LongSupplier clock) {
        this.namespace = namespace;
        this.clock = clock;
    }

    /** Returns the values that all statements of this namespace share. */
    Values values() {
        Values values = new Values().with(Param.NAMESPACE, namespace);
        return clock == null ? values : values.with(Param.CLOCK, clock.getAsLong());
    }

    private Values values(String name) {
        return values().with(Param.NAME, name);
    }

    private Values inBucket(String name) {
        return values(name).with(Param.BUCKET, Protocol.bucketOf(name));
    }

    Moment now(Session session) throws SQLException {
        try (ResultSet rows = session.query(Sql.NOW, values())) {
            rows.next();
            return new Moment(rows.getLong(1), rows.getLong(2));
        }
    }

    /** Records the present server, and that a grace period of this length begins now, unless another client did so. */
    void beginGrace(Session session, long graceMicros) throws SQLException {
        session.update(Sql.BEGIN_GRACE, values().with(Param.GRACE, graceMicros));
    }

    /** Runs the uncontended acquire of a capacity of 1; returns null if the acquire needs more. */
    Acquire.@Nullable Granted acquire(Session session, String client, Acquire command, Stamps stamps)
            throws SQLException {
        String timeline = timeline(session);
        long[] row = session.change(
                timeline == null ? Sql.ACQUIRE : Sql.ACQUIRE_HERE,
                inBucket(command.resource().name())
                        .with(Param.EPOCH, Protocol.TOKEN_EPOCH_MICROS)
                        .with(Param.KIND, command.resource().kind().name())
                        .with(Param.CLIENT, client)
                        .with(Param.ATTEMPT, command.attempt().value())
                        .with(Param.LEASE, command.leaseMicros())
                        .with(Param.LOCK_DELAY, command.lockDelayMicros())
                        .with(Param.DESCRIPTION, command.description())
                        .with(Param.TIMELINE, timeline),
                session.dialect().answersByKey() ? 1 : 3);
        if (row == null) {
            return null;
        }
        // If a single number comes back, the statement has granted the token and deadline that follow from it.
        return row.length == 1
                ? new Acquire.Granted(stamps.of(row[0]), Protocol.clockToken(row[0]), row[0] + command.leaseMicros())
                : new Acquire.Granted(stamps.of(row[2]), row[0], row[1]);
    }

    /**
     * Runs the uncontended acquires of a capacity of 1 together, each of another name.
     *
     * @return those that were granted; the others need more, or another transaction keeps their rows locked
     */
    Map<Acquire, Acquire.Granted> acquireAll(Session session, String client, List<Acquire> commands, Stamps stamps)
            throws SQLException {
        Map<Long, Acquire> byAttempt = new HashMap<>();
        commands.forEach(command -> byAttempt.put(command.attempt().value(), command));
        List<long[]> rows = session.changeAll(
                Sql.ACQUIRE_ALL,
                values().with(Param.EPOCH, Protocol.TOKEN_EPOCH_MICROS)
                        .with(Param.CLIENT, client)
                        .with(Param.TIMELINE, timeline(session))
                        .with(
                                Param.NAMES,
                                each(commands, command -> command.resource().name()))
                        .with(
                                Param.NAME_BUCKETS,
                                each(
                                        commands,
                                        command -> Protocol.bucketOf(
                                                command.resource().name())))
                        .with(
                                Param.KINDS,
                                each(
                                        commands,
                                        command -> command.resource().kind().name()))
                        .with(
                                Param.ATTEMPTS,
                                each(commands, command -> command.attempt().value()))
                        .with(Param.LEASES, each(commands, Acquire::leaseMicros))
                        .with(Param.LOCK_DELAYS, each(commands, Acquire::lockDelayMicros))
                        .with(Param.DESCRIPTIONS, each(commands, Acquire::description)),
                4);
        Map<Acquire, Acquire.Granted> granted = new HashMap<>();
        for (long[] row : rows) {
            granted.put(
                    Objects.requireNonNull(byAttempt.get(row[3])),
                    new Acquire.Granted(stamps.of(row[2]), row[0], row[1]));
        }
        return granted;
    }

    private static <T> List<?> each(List<T> commands, Function<T, ?> value) {
        return commands.stream().<Object>map(value).toList();
    }

    /**
     * Releases holds without waiters together, each of another name.
     *
     * @return the time, for those that were released; the others need more, or another transaction keeps their rows
     *     locked
     */
    Map<Release, Long> releaseAll(Session session, String client, List<Release> commands) throws SQLException {
        List<long[]> rows =
                session.changeAll(Sql.RELEASE_ALL, named(client, commands).with(Param.TIMELINE, session.timeline()), 2);
        Map<Release, Long> released = new HashMap<>();
        rows.forEach(row -> released.put(commands.get((int) row[1] - 1), row[0]));
        return released;
    }

    /** Returns the timeline on which the session's server may grant; asks for it once on each connection. */
    private @Nullable String timeline(Session session) throws SQLException {
        if (session.timeline() == null
                && session.isDirect()
                && session.dialect().has(Sql.TIMELINE)) {
            try (ResultSet rows = session.query(Sql.TIMELINE, values())) {
                session.setTimeline(rows.next() ? rows.getString(1) : null);
            }
        }
        return session.timeline();
    }

    /** Releases a hold without waiters, and returns the time; returns null if the release needs more. */
    long @Nullable [] release(Session session, String client, Release command) throws SQLException {
        String timeline = session.timeline();
        return session.change(
                timeline == null ? Sql.RELEASE : Sql.RELEASE_HERE,
                values(command.resource().name())
                        .with(Param.CLIENT, client)
                        .with(Param.ATTEMPT, command.attempt())
                        .with(Param.TOKEN, command.token())
                        .with(Param.TIMELINE, timeline),
                1);
    }

    /**
     * Locks those of the holds that have a capacity of 1 and no waiters, and that no other transaction keeps locked.
     *
     * @return the time, by attempt and token
     */
    Map<List<Long>, Long> findReleasable(Session session, String client, List<Release> holds) throws SQLException {
        Map<List<Long>, Long> found = new HashMap<>();
        try (ResultSet rows = session.query(Sql.FIND_RELEASABLE, named(client, holds))) {
            while (rows.next()) {
                found.put(List.of(rows.getLong(1), rows.getLong(2)), rows.getLong(3));
            }
        }
        return found;
    }

    /** Releases holds that {@link #findReleasable} has found. */
    void releaseFound(Session session, String client, List<Release> holds) throws SQLException {
        session.update(Sql.RELEASE_FOUND, named(client, holds));
    }

    private Values named(String client, List<Release> holds) {
        return values().with(Param.CLIENT, client)
                .with(Param.NAMES, each(holds, hold -> hold.resource().name()))
                .with(Param.ATTEMPTS, each(holds, Release::attempt))
                .with(Param.TOKENS, each(holds, Release::token));
    }

    /**
     * Renews standing holds that have the same lease time and are extended alike: their new deadline is the answered
     * time plus the lease time.
     *
     * @return for each renewed hold the time, its attempt and token, and 1 if a client waits for it. If the database
     *     answers with one number: for each hold twice the time, plus one if the row of any of them counts tickets
     */
    List<long[]> renew(Session session, String client, List<Heartbeat.Hold> holds) throws SQLException {
        return session.changeAll(
                Sql.RENEW,
                values().with(Param.CLIENT, client)
                        .with(Param.LEASE, holds.get(0).leaseMicros())
                        .with(Param.EXTEND, holds.get(0).extend() ? 1 : 0)
                        .with(Param.NAMES, each(holds, hold -> hold.resource().name()))
                        .with(Param.ATTEMPTS, each(holds, Heartbeat.Hold::attempt))
                        .with(Param.TOKENS, each(holds, Heartbeat.Hold::token))
                        .with(Param.DESCRIPTIONS, each(holds, Heartbeat.Hold::description)),
                session.dialect().answersByKey() ? 1 : 4);
    }

    /** Keeps all others from names until the transaction ends, if the database lets them in at all. */
    void lock(Session session, Collection<String> names) throws SQLException {
        if (!session.dialect().has(Sql.LOCK_NAMES)) {
            return;
        }
        // In order, so that two transactions that lock the same names never deadlock.
        for (List<String> some : parts(new TreeSet<>(names))) {
            Set<String> missing = new TreeSet<>(some);
            while (!missing.isEmpty()) {
                session.requireTime();
                texts(session, Sql.LOCK_NAMES, values().with(Param.NAMES, List.copyOf(missing)))
                        .forEach(missing::remove);
                for (Iterator<String> each = missing.iterator(); each.hasNext(); ) {
                    // No other transaction can change a row that this one added but has not committed. If another was
                    // first, try again.
                    if (session.update(Sql.ADD_NAME, free(inBucket(each.next()))) == 1) {
                        each.remove();
                    }
                }
            }
        }
    }

    /** Returns those of the names whose rows another transaction keeps locked now. */
    Set<String> locked(Session session, Collection<String> names) throws SQLException {
        if (!session.dialect().has(Sql.FREE_NAMES)) {
            // SQLite locks its file, and no rows.
            return Set.of();
        }
        Set<String> locked = new TreeSet<>(names);
        for (List<String> some : parts(names)) {
            texts(session, Sql.FREE_NAMES, values().with(Param.NAMES, some)).forEach(locked::remove);
        }
        // A name without a row has nothing that could be locked.
        Set<String> known = new TreeSet<>();
        for (List<String> some : parts(locked)) {
            known.addAll(texts(session, Sql.KNOWN_NAMES, values().with(Param.NAMES, some)));
        }
        locked.retainAll(known);
        return locked;
    }

    /** Reads all rows of a name. */
    Snapshot load(Session session, String name) throws SQLException {
        return load(session, List.of(name)).getOrDefault(name, Snapshot.NOTHING);
    }

    /** Reads all rows of names; leaves out names without rows. */
    Map<String, Snapshot> load(Session session, Collection<String> names) throws SQLException {
        Map<String, Snapshot> snapshots = new HashMap<>();
        for (List<String> some : parts(names)) {
            snapshots.putAll(
                    snapshots(session, Sql.LOAD, values().with(Param.NAMES, some), new HashMap<>(), Integer.MAX_VALUE));
        }
        return snapshots;
    }

    /**
     * Reads names, and of their queues the head and the client's own tickets; leaves out names without rows.
     *
     * @param own the attempts of the client's own tickets, by their names
     * @param limit how many tickets are a head
     */
    Map<String, Snapshot> loadHeads(
            Session session, Collection<String> names, String client, Map<String, List<Long>> own, int limit)
            throws SQLException {
        Map<String, Snapshot> snapshots = new HashMap<>();
        List<String> single = new ArrayList<>(names);
        if (names.size() > 1) {
            for (List<String> some : parts(names)) {
                Values values = values().with(Param.NAMES, some).with(Param.LIMIT, limit);
                snapshots.putAll(snapshots(session, Sql.LOAD_HEADS, values, new HashMap<>(), limit));
            }
            single.removeIf(name -> snapshots.containsKey(name)
                    && snapshots.get(name).hasNameRow()
                    && snapshots.get(name).waiters() < limit);
        }
        for (String name : single) {
            snapshots.putAll(loadHead(session, name, client, own.getOrDefault(name, List.of()), limit));
        }
        return snapshots;
    }

    private Map<String, Snapshot> loadHead(Session session, String name, String client, List<Long> own, int limit)
            throws SQLException {
        Map<String, Rows> read = new HashMap<>();
        Map<String, Snapshot> snapshots = Map.of();
        // No attempt has the number 0.
        for (List<Long> some : own.isEmpty() ? List.of(List.of(0L)) : parts(own)) {
            Values values = values(name)
                    .with(Param.CLIENT, client)
                    .with(Param.ATTEMPTS, some)
                    .with(Param.LIMIT, limit);
            snapshots = snapshots(session, Sql.LOAD_HEAD, values, read, limit);
        }
        return snapshots;
    }

    private static Map<String, Snapshot> snapshots(
            Session session, Sql sql, Values values, Map<String, Rows> read, int limit) throws SQLException {
        try (ResultSet rows = session.query(sql, values)) {
            while (rows.next()) {
                String name = Objects.requireNonNull(Utf8.text(rows, 1), "name");
                read.computeIfAbsent(name, fresh -> new Rows()).read(name, rows);
            }
        }
        Map<String, Snapshot> snapshots = new HashMap<>();
        read.forEach((name, rows) -> snapshots.put(name, rows.snapshot(limit)));
        return snapshots;
    }

    /**
     * Writes the presence of tickets, without reading their queues.
     *
     * @return how many are alive
     */
    int showPresence(Session session, String client, List<Heartbeat.Ticket> tickets, long presenceMicros)
            throws SQLException {
        int alive = 0;
        for (List<Heartbeat.Ticket> some : parts(tickets)) {
            Values values = values().with(Param.CLIENT, client)
                    .with(Param.PRESENCE, presenceMicros)
                    .with(
                            Param.ATTEMPTS,
                            some.stream().map(Heartbeat.Ticket::attempt).toList())
                    .with(
                            Param.NAMES,
                            some.stream()
                                    .map(ticket -> ticket.resource().name())
                                    .toList());
            alive += session.update(Sql.SHOW_PRESENCE, values);
        }
        return alive;
    }

    private static <T> List<List<T>> parts(Collection<T> values) {
        List<T> all = List.copyOf(values);
        List<List<T>> parts = new ArrayList<>();
        for (int from = 0; from < all.size(); from += Query.LONGEST) {
            parts.add(all.subList(from, Math.min(all.size(), from + Query.LONGEST)));
        }
        return parts;
    }

    /** The fields of a lease row beside the machine's state: its number, its token, and the number of waiters. */
    record Seat(long number, long token, int waiters) {}

    /** Writes a row of the lease table: the fields of the name, and a hold or none. */
    void saveLease(Session session, boolean isThere, Seat seat, ResourceState state, @Nullable Hold hold, long now)
            throws SQLException {
        Values values = inBucket(state.resource().name())
                .with(Param.PLACE, seat.number())
                .with(Param.KIND, state.resource().kind().name())
                .with(Param.CAPACITY, state.resource().capacity())
                .with(Param.WAITERS, seat.waiters())
                .with(Param.NOT_BEFORE, state.notBeforeMicros())
                .with(Param.TOKEN, seat.token())
                .with(Param.NOW, now);
        session.update(isThere ? Sql.UPDATE_LEASE : Sql.INSERT_LEASE, hold == null ? free(values) : held(values, hold));
    }

    private static Values free(Values values) {
        return values.with(Param.ATTEMPT, 0L)
                .with(Param.WEIGHT, 0)
                .with(Param.UNTIL, 0L)
                .with(Param.LOCK_DELAY, 0L)
                .with(Param.CLAIMED, 0)
                .with(Param.REVOKED, 0)
                .with(Param.DESCRIPTION, "");
    }

    private static Values held(Values values, Hold hold) {
        return values.with(Param.CLIENT, hold.client())
                .with(Param.ATTEMPT, hold.attempt())
                .with(Param.WEIGHT, hold.weight())
                .with(Param.UNTIL, hold.deadlineMicros())
                .with(Param.LOCK_DELAY, hold.lockDelayMicros())
                .with(Param.CLAIMED, hold.claimed() ? 1 : 0)
                .with(Param.REVOKED, hold.revoked() ? 1 : 0)
                .with(Param.DESCRIPTION, hold.description());
    }

    void deleteLease(Session session, String name, long seat) throws SQLException {
        session.update(Sql.DELETE_LEASE, values(name).with(Param.PLACE, seat));
    }

    /** Adds a ticket at the end of the queue. */
    void addTicket(Session session, String name, Ticket ticket) throws SQLException {
        session.update(
                Sql.INSERT_TICKET,
                values(name)
                        .with(Param.CLIENT, ticket.client())
                        .with(Param.ATTEMPT, ticket.attempt())
                        .with(Param.WEIGHT, ticket.weight())
                        .with(Param.LOCK_DELAY, ticket.lockDelayMicros())
                        .with(Param.UNTIL, ticket.presentUntilMicros())
                        .with(Param.DESCRIPTION, ticket.description())
                        .with(Param.SECRET, ticket.secret()));
    }

    void saveTicket(Session session, String name, long place, Ticket ticket) throws SQLException {
        session.update(
                Sql.UPDATE_TICKET,
                values(name)
                        .with(Param.PLACE, place)
                        .with(Param.UNTIL, ticket.presentUntilMicros())
                        .with(Param.DESCRIPTION, ticket.description()));
    }

    void deleteTickets(Session session, String name, List<Long> places) throws SQLException {
        for (List<Long> some : parts(places)) {
            session.update(Sql.DELETE_TICKETS, values(name).with(Param.PLACES, some));
        }
    }

    long highWater(Session session, String name) throws SQLException {
        try (ResultSet rows = session.query(Sql.HIGH_WATER, inBucket(name))) {
            return rows.next() ? rows.getLong(1) : 0;
        }
    }

    void raiseHighWater(Session session, String name, long token) throws SQLException {
        session.update(Sql.RAISE_HIGH_WATER, inBucket(name).with(Param.TOKEN, token));
    }

    boolean isCancelled(Session session, String client, long attempt) throws SQLException {
        Values values = values().with(Param.CLIENT, client).with(Param.ATTEMPT, attempt);
        try (ResultSet rows = session.query(Sql.FIND_CANCELLED, values)) {
            return rows.next();
        }
    }

    void recordCancelled(Session session, String client, long attempt) throws SQLException {
        session.update(Sql.RECORD_CANCELLED, values().with(Param.CLIENT, client).with(Param.ATTEMPT, attempt));
    }

    /** Reads a name's note. */
    KeptNote note(Session session, String name) throws SQLException {
        try (ResultSet rows = session.query(Sql.FIND_NOTE, values(name))) {
            rows.next();
            long token = rows.getLong(1);
            Note note = rows.wasNull() ? null : new Note(token, rows.getLong(2), bytes(rows, 3));
            return new KeptNote(note, new Moment(rows.getLong(4), rows.getLong(5)));
        }
    }

    /** A driver may return null for a note without bytes. */
    private static byte[] bytes(ResultSet rows, int column) throws SQLException {
        return Objects.requireNonNullElse(rows.getBytes(column), new byte[0]);
    }

    /** Writes a name's note in place of the present one. */
    void saveNote(Session session, String name, Note note) throws SQLException {
        session.update(
                Sql.SAVE_NOTE,
                values(name)
                        .with(Param.TOKEN, note.token())
                        .with(Param.NUMBER, note.number())
                        .with(Param.NOTE, note.bytes()));
    }

    /** Removes a name's note; returns whether there was one. */
    boolean forgetNote(Session session, String name) throws SQLException {
        return session.update(Sql.FORGET_NOTE, values(name)) > 0;
    }

    /** Tells a client, after the transaction has committed, that its ticket became a hold. */
    void push(Session session, String name, Hold hold, Stamp stamp, long secret) {
        Push push = new Push(
                name, hold.attempt(), hold.token(), hold.deadlineMicros(), stamp.nowMicros(), stamp.runId(), secret);
        session.afterCommit(
                Sql.PUSH_GRANT,
                new Values()
                        .with(Param.CHANNEL, Notifications.channel(hold.client()))
                        .with(Param.PAYLOAD, Notifications.text(push)));
    }

    /** Returns names with a prefix that have rows, in order, after the given one. */
    List<String> names(Session session, String prefix, String after, int limit) throws SQLException {
        Values values = values().with(Param.PREFIX, prefix)
                .with(Param.AFTER, after)
                .with(Param.END, Utf8.beyond(prefix))
                .with(Param.LIMIT, limit);
        return texts(session, Sql.NAMES, values);
    }

    /** Returns all texts in the first column, which is a column of bytes. */
    static List<String> texts(Session session, Sql sql, Values values) throws SQLException {
        List<String> strings = new ArrayList<>();
        try (ResultSet rows = session.query(sql, values)) {
            while (rows.next()) {
                String string = Utf8.text(rows, 1);
                if (string != null) {
                    strings.add(string);
                }
            }
        }
        return strings;
    }
}
