package dev.baton.jdbc;

import dev.baton.spi.Resource;
import dev.baton.spi.StoreFailure;
import dev.baton.spi.Timings;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * Runs work on names in transactions: the rows that were read stay true until the transaction ends.
 *
 * <p>Of a queue only the head is read, and the caller's own tickets. If the work uses up the head (all of it was dead,
 * or there was room for all of it), more is read and the work runs again. So the cost of a transaction depends on its
 * changes, and not on the length of the queue. Thread-safe.
 */
final class Transactions {
    /** How many tickets are a head. */
    static final int HEAD = 16;

    private static final int STEP = 8;

    private final Tables tables;
    private final String client;
    private final Timings timings;
    private final Stamps stamps;

    Transactions(Tables tables, String client, Timings timings, Stamps stamps) {
        this.tables = tables;
        this.client = client;
        this.timings = timings;
        this.stamps = stamps;
    }

    /** Work on names at one moment; it runs again if more has to be read. */
    interface Step<T> {
        T on(Transaction names) throws SQLException;
    }

    /** An attempt of this client for a resource; 0 for none. */
    record Asked(Resource resource, long attempt) {}

    /** Runs work in a transaction of its own. */
    <T> T run(Session session, Collection<Asked> asked, Step<T> step) throws SQLException, StoreFailure {
        return session.transaction(each -> within(each, asked, step));
    }

    /**
     * Runs work in the transaction that the session is in.
     *
     * <p>The clock is read after the names are locked. If the database's clock stands still during a transaction, that
     * is an earlier moment, but never one before the command was sent, and that is enough: every deadline comes out
     * early.
     */
    <T> T within(Session session, Collection<Asked> asked, Step<T> step) throws SQLException {
        Map<String, Resource> resources = new LinkedHashMap<>();
        Map<String, List<Long>> own = new HashMap<>();
        for (Asked each : asked) {
            String name = each.resource().name();
            resources.putIfAbsent(name, each.resource());
            own.computeIfAbsent(name, fresh -> new ArrayList<>(1)).add(each.attempt());
        }
        tables.lock(session, resources.keySet());
        for (int limit = HEAD; ; limit *= STEP) {
            Transaction names = read(session, resources, own, limit);
            T result = step.on(names);
            if (names.sawEnough()) {
                names.save();
                return result;
            }
        }
    }

    private Transaction read(Session session, Map<String, Resource> resources, Map<String, List<Long>> own, int limit)
            throws SQLException {
        Map<String, Snapshot> loaded = tables.loadHeads(session, resources.keySet(), client, own, limit);
        Moment moment = loaded.isEmpty()
                ? tables.now(session)
                : loaded.values().iterator().next().moment();
        if (!stamps.isRecorded(moment)) {
            tables.beginGrace(session, timings.graceMicros());
        }
        Transaction names = new Transaction(stamps.of(moment));
        resources.forEach((name, resource) -> names.add(
                name,
                new ResourceRow(
                        tables,
                        session,
                        resource,
                        timings,
                        loaded.getOrDefault(name, Snapshot.NOTHING),
                        names.stamp())));
        return names;
    }
}
