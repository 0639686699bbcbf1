package dev.baton.jdbc;

import java.util.Locale;

/** The statements that every dialect has; {@link #SAVE_LEASE} is its section {@code save_lease}. */
enum Sql {
    FIND_DESCRIPTOR,
    ADD_DESCRIPTOR,
    BEGIN,
    COMMIT,
    ROLLBACK,
    NOW,
    ACQUIRE,
    RELEASE,
    LOAD,
    SAVE_LEASE,
    DELETE_LEASE,
    DELETE_LEASES,
    SAVE_TICKET,
    DELETE_TICKET,
    HIGH_WATER,
    RAISE_HIGH_WATER,
    FIND_CANCELLED,
    RECORD_CANCELLED,
    NAMES,
    SWEEP_END,
    SWEEP_RAISE,
    SWEEP_DELETE,
    SWEEP_DEAD,
    SWEEP_CANCELLED;

    String section() {
        return name().toLowerCase(Locale.ROOT);
    }
}
