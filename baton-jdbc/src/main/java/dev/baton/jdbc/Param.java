package dev.baton.jdbc;

import java.util.Locale;

/**
 * The parameters that SQL text may name; {@link #NOT_BEFORE} is written {@code :not_before}. Columns of bytes keep all
 * text that is compared or that users choose, and notes.
 */
enum Param {
    NAMESPACE(Form.BYTES),
    CLOCK,
    NAME(Form.BYTES),
    BUCKET,
    PLACE,
    KIND,
    CAPACITY,
    WAITERS,
    NOT_BEFORE,
    TOKEN,
    CLIENT(Form.BYTES),
    ATTEMPT,
    WEIGHT,
    UNTIL,
    LEASE,
    EXTEND,
    LOCK_DELAY,
    CLAIMED,
    REVOKED,
    DESCRIPTION(Form.BYTES),
    NOW,
    EPOCH,
    PREFIX(Form.BYTES),
    AFTER(Form.BYTES),
    BEFORE,
    END(Form.BYTES),
    LIMIT,
    PROTOCOL,
    BUCKETS,
    GRACE,
    CLAIM_WINDOW,
    PRESENCE,
    RUN_ID,
    CHANNEL,
    PAYLOAD,
    SECRET,
    TIMELINE,
    NUMBER,
    NOTE(Form.BYTES),
    NAMES(Form.BYTES, true),
    ATTEMPTS(Form.PLAIN, true),
    TOKENS(Form.PLAIN, true),
    DESCRIPTIONS(Form.BYTES, true),
    PLACES(Form.PLAIN, true),
    KINDS(Form.PLAIN, true),
    NAME_BUCKETS(Form.PLAIN, true),
    LEASES(Form.PLAIN, true),
    LOCK_DELAYS(Form.PLAIN, true);

    private enum Form {
        PLAIN,
        BYTES
    }

    private final Form form;
    private final boolean list;

    Param() {
        this(Form.PLAIN);
    }

    Param(Form form) {
        this(form, false);
    }

    Param(Form form, boolean list) {
        this.form = form;
        this.list = list;
    }

    /** Returns whether the parameter stands for a list of any length. */
    boolean isList() {
        return list;
    }

    /** Returns whether the parameter's column holds bytes: those of a note, or of a text in UTF-8. */
    boolean isBytes() {
        return form == Form.BYTES;
    }

    static Param named(String name) {
        return valueOf(name.toUpperCase(Locale.ROOT));
    }
}
