package dev.baton.memcached;

import dev.baton.spi.Deadline;
import java.util.concurrent.TimeUnit;

/**
 * What a client takes for the store's clock, from when it connected on: the machine's own, as far as the server's does not
 * tell otherwise. It decides nothing about other clients' holds; the server's expiry does. Immutable.
 */
final class StoreClock {
    private static final long MICROS = 1_000_000;

    /** The server rounds its start down to a second, its age down to a second, and looks at its clock once a second. */
    private static final long ROUNDING_MICROS = 3 * MICROS;

    private final long startMicros;
    private final Deadline start = Deadline.in(0);

    private StoreClock(long startMicros) {
        this.startMicros = startMicros;
    }

    /** A clock that is started now. */
    static StoreClock startedAt(long serverSeconds) {
        return between(serverSeconds, TimeUnit.MILLISECONDS.toMicros(System.currentTimeMillis()));
    }

    /** The machine's clock, or, where the server's cannot be the same, the middle of what that may be. */
    static StoreClock between(long serverSeconds, long machineMicros) {
        long ahead = machineMicros - serverSeconds * MICROS;
        return new StoreClock(
                ahead >= 0 && ahead <= ROUNDING_MICROS ? machineMicros : serverSeconds * MICROS + ROUNDING_MICROS / 2);
    }

    long micros() {
        return startMicros - TimeUnit.NANOSECONDS.toMicros(start.leftNanos());
    }
}
