package dev.baton.jdbc;

import dev.baton.spi.Protocol;
import dev.baton.spi.Resource;
import dev.baton.spi.StoreFailure;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;

/**
 * Cleans up after the commands that take a single statement, so that an idle name leaves nothing.
 *
 * <p>A release leaves the free row of its name behind, because the row makes the next acquire of the same name cheaper.
 * A holder that died leaves more. Later commands sweep both in batches ({@link SweepSchedule}), and a client that closes
 * sweeps everything that is left. A row that was used within the last second stays. A batch walks over a limited number of
 * names, from where the last one ended; the tokens of deleted rows go into the high water of their buckets in the same
 * transaction. A sweep grants nothing: if a living ticket waits, its owner polls soon.
 *
 * <p>Thread-safe. Two sweeps at once, which are rare, may walk over the same names, and do no harm.
 */
final class Sweeper {
    /** More than the releases after which a batch is due: each may have left a row. */
    static final int BATCH = 1_024;

    private static final int LAST_BATCHES = 64;

    /** Only rows deleted by hand leave such queues, so these may stay a little longer. */
    private static final int QUEUE_EVERY = 16;

    private final Tables tables;
    private final Transactions transactions;
    private final SweepSchedule schedule = new SweepSchedule();
    private volatile String position = "";
    private volatile String queue = "";
    private final AtomicInteger sweeps = new AtomicInteger(1);

    Sweeper(Tables tables, Transactions transactions) {
        this.tables = tables;
        this.transactions = transactions;
    }

    /** Counts a release that left a row. */
    void released() {
        schedule.released();
    }

    /** Returns whether a batch should be swept now; returns true to at most one caller. */
    boolean isDue(long now) {
        return schedule.isDue(now);
    }

    /** Sweeps one batch. */
    void sweep(Session session) throws SQLException, StoreFailure {
        long now = tables.now(session).micros();
        sweep(session, now, now - SweepSchedule.EVERY_MICROS);
    }

    /** Sweeps everything that is free, even rows that were used a moment ago. */
    void sweepAll(Session session) throws SQLException, StoreFailure {
        position = "";
        for (int i = 0; i < LAST_BATCHES; i++) {
            long now = tables.now(session).micros();
            sweep(session, now, now);
            if (position.isEmpty()) {
                return;
            }
        }
    }

    private void sweep(Session session, long now, long before) throws SQLException, StoreFailure {
        Values values = tables.values()
                .with(Param.NOW, now)
                .with(Param.TOKEN, Protocol.clockToken(now))
                .with(Param.BEFORE, before)
                .with(Param.AFTER, position)
                .with(Param.LIMIT, BATCH);
        @Nullable String end = end(session, values);
        values.with(Param.END, end == null ? "" : end);
        session.transaction(each -> {
            if (end != null) {
                each.update(Sql.SWEEP_RAISE, values);
                each.update(Sql.SWEEP_DELETE, values);
            }
            return true;
        });
        freeDead(session, values, now);
        session.update(Sql.SWEEP_CANCELLED, values.with(Param.BEFORE, now - Protocol.MARK_MICROS));
        position = end == null ? "" : end;
        if (end == null) {
            schedule.walked();
        }
    }

    private static @Nullable String end(Session session, Values values) throws SQLException {
        try (ResultSet rows = session.query(Sql.SWEEP_END, values)) {
            return rows.next() ? Utf8.text(rows, 1) : null;
        }
    }

    /** Reads the head of the next queue; returns the name if that head is dead. */
    private @Nullable String nextDeadQueue(Session session, Values values, long now) throws SQLException {
        try (ResultSet rows = session.query(Sql.SWEEP_QUEUE, values.with(Param.AFTER, queue))) {
            String name = rows.next() ? Utf8.text(rows, 1) : null;
            queue = name == null ? "" : name;
            return name != null && rows.getLong(2) <= now ? name : null;
        }
    }

    /** Frees dead names; a later sweep deletes their rows. */
    private void freeDead(Session session, Values values, long now) throws SQLException, StoreFailure {
        List<String> names = Tables.texts(session, Sql.SWEEP_DEAD, values);
        String head = sweeps.getAndIncrement() % QUEUE_EVERY == 0 ? nextDeadQueue(session, values, now) : null;
        if (head != null && !names.contains(head)) {
            names.add(head);
        }
        List<Transactions.Asked> dead = names.stream()
                .map(name -> new Transactions.Asked(Resource.lock(name), 0))
                .toList();
        if (dead.isEmpty()) {
            return;
        }
        // This needs a transaction of its own: after an earlier read, a transaction could keep seeing the old rows
        // despite the locks.
        transactions.run(session, dead, found -> {
            found.entries().forEach(ResourceRow::freeIfOver);
            return true;
        });
    }
}
