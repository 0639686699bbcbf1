package dev.baton.memcached;

import dev.baton.spi.Deadline;
import java.util.concurrent.TimeUnit;

/**
 * A client's estimate of the store's clock since it connected: the machine's own clock, as long as the server's does
 * not contradict it. It decides nothing about other clients' holds; the server's expiry does. Immutable.
 */
final class StoreClock {
    private static final long MICROS = 1_000_000;

    /** The server rounds its start down to a second, its age down to a second, and reads its clock once a second. */
    private static final long ROUNDING_MICROS = 3 * MICROS;

    private final long startMicros;
    private final Deadline start = Deadline.in(0);

    private StoreClock(long startMicros) {
        this.startMicros = startMicros;
    }

    /** Returns a clock that starts now. */
    static StoreClock startedAt(long serverSeconds) {
        return between(serverSeconds, TimeUnit.MILLISECONDS.toMicros(System.currentTimeMillis()));
    }

    /** Returns the machine's clock or, if the server's clock cannot be the same, the middle of its possible range. */
    static StoreClock between(long serverSeconds, long machineMicros) {
        long ahead = machineMicros - serverSeconds * MICROS;
        return new StoreClock(
                ahead >= 0 && ahead <= ROUNDING_MICROS ? machineMicros : serverSeconds * MICROS + ROUNDING_MICROS / 2);
    }

    long micros() {
        return startMicros - TimeUnit.NANOSECONDS.toMicros(start.leftNanos());
    }
}
