package dev.baton.jdbc;

import java.util.Locale;

/** The statements of a dialect; {@link #INSERT_LEASE} is its section {@code insert_lease}. */
enum Sql {
    /** Only if the database begins and ends transactions by statements. */
    BEGIN,
    COMMIT,
    ROLLBACK,
    /**
     * Only if nothing else limits a transaction whose client stands still: begins and commits one on a connection of
     * Baton's own, and sets the limit in the same round trip. The driver and a pool do not hear of it.
     */
    BEGIN_LIMITED,
    COMMIT_LIMITED,
    /** Only if other transactions run at the same time. */
    LOCK_NAMES,
    /** Only if the tables are created in one transaction. */
    LOCK_SCHEMA,
    /** Only on servers, which may be up and still refuse to write. */
    WRITE_NOTHING,
    /** Only there, too: those of the names whose rows no other transaction keeps locked, without waiting. */
    FREE_NAMES,
    /** Only there, too, unless there is {@link #RELEASE_ALL}: many releases of holds without waiters, in one transaction. */
    FIND_RELEASABLE,
    RELEASE_FOUND,
    /** Only if the database pushes grants. */
    PUSH_GRANT,
    /** Only if a failover may leave the database without its last commits. */
    ADD_EPOCH,
    BEGIN_GRACE,
    /** Only if a connection shows by itself that its server was not promoted since. */
    TIMELINE,
    ACQUIRE_HERE,
    RELEASE_HERE,
    /** Only if one statement can acquire, or release, many names: those that no other client wants, and whose rows are free. */
    ACQUIRE_ALL,
    RELEASE_ALL,
    /** Only if the number of changed rows does not tell whether a fence was raised. */
    CHECK_FENCE,
    RAISE_FENCE,
    FIND_UNFIT_TABLES,
    FIND_TABLES,
    FIND_DESCRIPTOR,
    ADD_DESCRIPTOR,
    NOW,
    ACQUIRE,
    RELEASE,
    RENEW,
    LOAD,
    LOAD_HEAD,
    LOAD_HEADS,
    KNOWN_NAMES,
    SHOW_PRESENCE,
    ADD_NAME,
    INSERT_LEASE,
    UPDATE_LEASE,
    DELETE_LEASE,
    INSERT_TICKET,
    UPDATE_TICKET,
    DELETE_TICKETS,
    HIGH_WATER,
    RAISE_HIGH_WATER,
    FIND_CANCELLED,
    RECORD_CANCELLED,
    FIND_NOTE,
    SAVE_NOTE,
    FORGET_NOTE,
    NAMES,
    SWEEP_END,
    SWEEP_RAISE,
    SWEEP_DELETE,
    SWEEP_DEAD,
    SWEEP_QUEUE,
    SWEEP_CANCELLED;

    String section() {
        return name().toLowerCase(Locale.ROOT);
    }

    boolean isOptional() {
        return compareTo(CHECK_FENCE) <= 0;
    }
}
