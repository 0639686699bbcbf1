package dev.baton.jdbc;

import java.util.Locale;

/** The parameters that SQL text may name; {@link #NOT_BEFORE} is written {@code :not_before}. */
enum Param {
    NAMESPACE,
    CLOCK,
    NAME,
    BUCKET,
    PLACE,
    KIND,
    CAPACITY,
    WAITERS,
    NOT_BEFORE,
    TOKEN,
    CLIENT,
    ATTEMPT,
    WEIGHT,
    UNTIL,
    LEASE,
    EXTEND,
    LOCK_DELAY,
    CLAIMED,
    REVOKED,
    DESCRIPTION,
    NOW,
    EPOCH,
    PREFIX,
    AFTER,
    BEFORE,
    END,
    LIMIT,
    PROTOCOL,
    BUCKETS,
    GRACE,
    CLAIM_WINDOW,
    PRESENCE,
    RUN_ID,
    CHANNEL,
    PAYLOAD,
    NAMES(true),
    ATTEMPTS(true),
    TOKENS(true);

    private final boolean list;

    Param() {
        this(false);
    }

    Param(boolean list) {
        this.list = list;
    }

    /** Whether it stands for as many values as there are. */
    boolean isList() {
        return list;
    }

    static Param named(String name) {
        return valueOf(name.toUpperCase(Locale.ROOT));
    }
}
