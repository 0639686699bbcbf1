package dev.baton.redis;

import java.util.Locale;

/**
 * When a server that may have forgotten locks waits for a grace period, in which it grants nothing and living clients
 * put back what they hold: {@code grace=} of the address. All clients of a namespace agree on it.
 */
enum GraceMode {
    /**
     * If there is evidence that the server may have forgotten: another process or replication history, a bucket that is
     * gone, or clients of a namespace that the server does not have. Otherwise a server without data counts as new, and
     * grants at once.
     */
    AUTO,

    /** As {@link #AUTO}, and also on a server without data: it cannot prove that it is new. */
    STRICT,

    /** Never: after a failover two clients may hold a lock until the first one notices. */
    OFF;

    /** Returns the mode as addresses and the descriptor have it. */
    String text() {
        return name().toLowerCase(Locale.ROOT);
    }
}
