package dev.baton.jdbc;

import dev.baton.spi.Acquire;
import dev.baton.spi.Heartbeat;
import dev.baton.spi.Kind;
import dev.baton.spi.Protocol;
import dev.baton.spi.Push;
import dev.baton.spi.Release;
import dev.baton.spi.Resource;
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
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/**
 * A namespace's rows: one statement per method.
 *
 * <p>The lease table has a row 0 for every name that is known: what the name stands for, how many tickets wait, the end
 * of a lock-delay, the last token; and for a capacity of 1 also the one hold. Holds of larger capacities have rows of
 * their own behind it. The queue is in the ticket table. Thread-safe as far as its sessions are.
 */
final class Tables {
    private final String namespace;
    private final @Nullable LongSupplier clock;

    /**
     * Tables of a namespace.
     *
     * @param clock replaces the database's clock; null in production
     */
    Tables(String namespace, @Nullable LongSupplier clock) {
        this.namespace = namespace;
        this.clock = clock;
    }

    /** Values that statements of this namespace have in common. */
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

    long now(Session session) throws SQLException {
        if (clock != null) {
            return clock.getAsLong();
        }
        try (ResultSet rows = session.query(Sql.NOW, values())) {
            rows.next();
            return rows.getLong(1);
        }
    }

    /** The uncontended acquire of a capacity of 1; null where it takes more. */
    Acquire.@Nullable Granted acquire(Session session, String client, Acquire command, String runId)
            throws SQLException {
        long[] row = session.change(
                Sql.ACQUIRE,
                inBucket(command.resource().name())
                        .with(Param.EPOCH, Protocol.TOKEN_EPOCH_MICROS)
                        .with(Param.KIND, command.resource().kind().name())
                        .with(Param.CLIENT, client)
                        .with(Param.ATTEMPT, command.attempt().value())
                        .with(Param.LEASE, command.leaseMicros())
                        .with(Param.LOCK_DELAY, command.lockDelayMicros())
                        .with(Param.DESCRIPTION, command.description()),
                session.dialect().answersByKey() ? 1 : 3);
        if (row == null) {
            return null;
        }
        // Where a single number is answered, the statement has granted what follows from it.
        return row.length == 1
                ? new Acquire.Granted(
                        new Stamp(runId, row[0], 0), Protocol.clockToken(row[0]), row[0] + command.leaseMicros())
                : new Acquire.Granted(new Stamp(runId, row[2], 0), row[0], row[1]);
    }

    /** The release of a hold that nobody waits for: the time; null where it takes more. */
    long @Nullable [] release(Session session, String client, Release command) throws SQLException {
        return session.change(
                Sql.RELEASE,
                values(command.resource().name())
                        .with(Param.CLIENT, client)
                        .with(Param.ATTEMPT, command.attempt())
                        .with(Param.TOKEN, command.token()),
                1);
    }

    /**
     * The heartbeat of holds that stand, all alike in lease time and in being extended: their new deadline is the time answered and that.
     *
     * @return the time for each hold that was renewed; which ones, it does not say
     */
    List<long[]> renew(Session session, String client, List<Heartbeat.Hold> holds) throws SQLException {
        return session.changeAll(
                Sql.RENEW,
                values().with(Param.CLIENT, client)
                        .with(Param.LEASE, holds.get(0).leaseMicros())
                        .with(Param.EXTEND, holds.get(0).extend() ? 1 : 0)
                        .with(
                                Param.NAMES,
                                holds.stream()
                                        .map(hold -> hold.resource().name())
                                        .toList())
                        .with(
                                Param.ATTEMPTS,
                                holds.stream().map(Heartbeat.Hold::attempt).toList())
                        .with(
                                Param.TOKENS,
                                holds.stream().map(Heartbeat.Hold::token).toList()),
                1);
    }

    /** Keeps all others from names until the transaction ends, where the database lets them in at all. */
    void lock(Session session, Collection<String> names) throws SQLException {
        if (!session.dialect().has(Sql.LOCK_NAMES)) {
            return;
        }
        // In order: two who lock the same names shall not wait for each other.
        for (List<String> some : parts(new TreeSet<>(names))) {
            Set<String> missing = new TreeSet<>(some);
            while (!missing.isEmpty()) {
                session.requireTime();
                texts(session, Sql.LOCK_NAMES, values().with(Param.NAMES, List.copyOf(missing)))
                        .forEach(missing::remove);
                for (Iterator<String> each = missing.iterator(); each.hasNext(); ) {
                    // A row of one's own, not committed yet, nobody else can change. If another was first: once more.
                    if (session.update(Sql.ADD_NAME, free(inBucket(each.next()))) == 1) {
                        each.remove();
                    }
                }
            }
        }
    }

    /** Those of the names whose rows a transaction of others keeps locked now. */
    Set<String> locked(Session session, Collection<String> names) throws SQLException {
        Set<String> locked = new TreeSet<>(names);
        for (List<String> some : parts(names)) {
            texts(session, Sql.FREE_NAMES, values().with(Param.NAMES, some)).forEach(locked::remove);
        }
        // A name without a row has nothing that could be locked.
        locked.retainAll(load(session, List.copyOf(locked)).keySet());
        return locked;
    }

    /** Reads all rows of a name. */
    Snapshot load(Session session, String name) throws SQLException {
        return load(session, List.of(name)).getOrDefault(name, Snapshot.NOTHING);
    }

    /** Reads all rows of names; those without rows are left out. */
    Map<String, Snapshot> load(Session session, Collection<String> names) throws SQLException {
        Map<String, Snapshot> snapshots = new HashMap<>();
        for (List<String> some : parts(names)) {
            Map<String, Loader> loaders = new HashMap<>();
            try (ResultSet rows = session.query(Sql.LOAD, values().with(Param.NAMES, some))) {
                while (rows.next()) {
                    String name = Objects.requireNonNull(Utf8.text(rows, 1), "name");
                    loaders.computeIfAbsent(name, fresh -> new Loader()).read(name, rows);
                }
            }
            loaders.forEach((name, loader) -> snapshots.put(name, loader.snapshot()));
        }
        return snapshots;
    }

    private static List<List<String>> parts(Collection<String> names) {
        List<String> all = List.copyOf(names);
        List<List<String>> parts = new ArrayList<>();
        for (int from = 0; from < all.size(); from += Query.LONGEST) {
            parts.add(all.subList(from, Math.min(all.size(), from + Query.LONGEST)));
        }
        return parts;
    }

    /** Writes a row of the lease table: what it says of the name, and a hold or none. */
    void saveLease(
            Session session, boolean isThere, long seat, ResourceState state, long token, @Nullable Hold hold, long now)
            throws SQLException {
        Values values = inBucket(state.resource().name())
                .with(Param.PLACE, seat)
                .with(Param.KIND, state.resource().kind().name())
                .with(Param.CAPACITY, state.resource().capacity())
                .with(Param.WAITERS, state.tickets().size())
                .with(Param.NOT_BEFORE, state.notBeforeMicros())
                .with(Param.TOKEN, token)
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

    void saveTicket(Session session, boolean isThere, String name, long place, Ticket ticket) throws SQLException {
        session.update(
                isThere ? Sql.UPDATE_TICKET : Sql.INSERT_TICKET,
                values(name)
                        .with(Param.PLACE, place)
                        .with(Param.CLIENT, ticket.client())
                        .with(Param.ATTEMPT, ticket.attempt())
                        .with(Param.WEIGHT, ticket.weight())
                        .with(Param.LOCK_DELAY, ticket.lockDelayMicros())
                        .with(Param.UNTIL, ticket.presentUntilMicros())
                        .with(Param.DESCRIPTION, ticket.description())
                        .with(Param.SECRET, ticket.secret()));
    }

    void deleteTicket(Session session, String name, long place) throws SQLException {
        session.update(Sql.DELETE_TICKET, values(name).with(Param.PLACE, place));
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

    /** Tells a client that its ticket became a hold, once the transaction has committed. */
    void push(Session session, String name, Hold hold, Stamp stamp, long secret) throws SQLException {
        Push push = new Push(
                name, hold.attempt(), hold.token(), hold.deadlineMicros(), stamp.nowMicros(), stamp.runId(), secret);
        Values values =
                new Values().with(Param.CHANNEL, Notes.channel(hold.client())).with(Param.PAYLOAD, Notes.text(push));
        try (ResultSet answered = session.query(Sql.PUSH_GRANT, values)) {
            answered.next();
        }
    }

    /** Names with a prefix that have rows, in order, from behind one of them. */
    List<String> names(Session session, String prefix, String after, int limit) throws SQLException {
        Values values = values().with(Param.PREFIX, prefix)
                .with(Param.AFTER, after)
                .with(Param.END, Utf8.beyond(prefix))
                .with(Param.LIMIT, limit);
        return texts(session, Sql.NAMES, values);
    }

    /** All texts in the first column, which is one of bytes. */
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

    /** Collects the rows of {@link Sql#LOAD}, whose columns it knows by number. */
    private static final class Loader {
        private final List<Hold> holds = new ArrayList<>(1);
        private final List<Long> seats = new ArrayList<>(1);
        private final List<Ticket> tickets = new ArrayList<>(0);
        private final List<Long> places = new ArrayList<>(0);
        private @Nullable Resource resource;
        private int waiters;
        private long notBefore;
        private long lastToken;
        private long now;

        void read(String name, ResultSet rows) throws SQLException {
            now = rows.getLong(17);
            if (rows.getInt(2) != 0) {
                readTicket(rows);
                return;
            }
            if (resource == null) {
                resource = new Resource(name, Kind.valueOf(rows.getString(4)), rows.getInt(5));
                // Row 0 may have been deleted by hand: no number of tickets matches then, and it is written again.
                waiters = rows.getInt(3) == 0 ? rows.getInt(6) : -1;
                notBefore = rows.getLong(7);
            }
            lastToken = Math.max(lastToken, rows.getLong(8));
            String client = Utf8.text(rows, 9);
            if (client != null) {
                readHold(client, rows);
            }
        }

        Snapshot snapshot() {
            return new Snapshot(resource, waiters, notBefore, lastToken, holds, seats, tickets, places, now);
        }

        private void readHold(String client, ResultSet rows) throws SQLException {
            seats.add(rows.getLong(3));
            holds.add(new Hold(
                    client,
                    rows.getLong(10),
                    rows.getInt(11),
                    rows.getLong(8),
                    rows.getLong(12),
                    rows.getLong(13),
                    rows.getInt(14) != 0,
                    rows.getInt(15) != 0,
                    Objects.requireNonNullElse(Utf8.text(rows, 16), "")));
        }

        private void readTicket(ResultSet rows) throws SQLException {
            places.add(rows.getLong(3));
            tickets.add(new Ticket(
                    Objects.requireNonNull(Utf8.text(rows, 9), "client"),
                    rows.getLong(10),
                    rows.getInt(11),
                    rows.getLong(13),
                    rows.getLong(12),
                    Objects.requireNonNullElse(Utf8.text(rows, 16), ""),
                    rows.getLong(18)));
        }
    }
}
