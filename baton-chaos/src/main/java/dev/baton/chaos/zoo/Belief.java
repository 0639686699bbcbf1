package dev.baton.chaos.zoo;

import java.time.Duration;

/** How long a holder believes that it has the lock. */
enum Belief {
    /** For the lease, from the moment when the request was sent. */
    FROM_REQUEST {
        @Override
        long until(long sentNanos, long receivedNanos, Duration lease) {
            return sentNanos + lease.minus(MARGIN).toNanos();
        }
    },
    /** For the lease, from the moment when the answer arrived. */
    FROM_REPLY {
        @Override
        long until(long sentNanos, long receivedNanos, Duration lease) {
            return receivedNanos + lease.minus(MARGIN).toNanos();
        }
    },
    /** Until its watchdog is refused. */
    UNTIL_REFUSED {
        @Override
        boolean holds(long nowNanos, long untilNanos, boolean refused) {
            return !refused;
        }
    },
    /** Until it releases. */
    UNTIL_RELEASED {
        @Override
        boolean holds(long nowNanos, long untilNanos, boolean refused) {
            return true;
        }
    };

    /** Redis counts in milliseconds, of a clock that it reads now and then. */
    private static final Duration MARGIN = Duration.ofMillis(10);

    /** Returns the end of the belief that an answer gives. */
    long until(long sentNanos, long receivedNanos, Duration lease) {
        return Long.MAX_VALUE;
    }

    /** Whether the holder believes. */
    boolean holds(long nowNanos, long untilNanos, boolean refused) {
        return !refused && nowNanos < untilNanos;
    }
}
