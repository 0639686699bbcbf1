package dev.baton.memcached;

import dev.baton.spi.Deadline;
import java.util.concurrent.TimeUnit;

/**
 * What a client knows of the server's clock, which counts in seconds: what it said once, between sending a question and
 * having its answer. Immutable.
 *
 * <p>Items are stored with the second at which they end, and not with the seconds that they have: a process that was
 * stopped and goes on counts those from the moment at which it was stopped, until its clock ticks. So a client must know
 * how late it may be there. Clocks are assumed to run at rates within 1 % of each other, as everywhere.
 *
 * @param seconds what the server said
 * @param sent when it was asked
 * @param answered when the answer was there
 */
record ServerTime(long seconds, Deadline sent, Deadline answered) {
    private static final long MICROS = 1_000_000;
    private static final long DRIFT_DIVISOR = 100;

    /** 30 s: by then the clocks may have come apart by a third of a second. */
    private static final long OLD_MICROS = 30 * MICROS;

    /** Half a second: an answer that took longer may be from before the clock ticked. */
    private static final long SLOW_MICROS = MICROS / 2;

    private static long since(Deadline ledger) {
        return -TimeUnit.NANOSECONDS.toMicros(ledger.leftNanos());
    }

    /** The latest that it may be there now. */
    long latestMicros() {
        long passed = since(sent);
        return (seconds + 1) * MICROS + passed + passed / DRIFT_DIVISOR;
    }

    private long earliestMicros() {
        long passed = since(answered);
        return seconds * MICROS + passed - passed / DRIFT_DIVISOR;
    }

    /** Whether the clock should be looked at again. */
    boolean isOld() {
        return since(sent) > OLD_MICROS;
    }

    /** Whether the answer took so long that it is better to ask again. */
    boolean wasSlow() {
        return since(sent) - since(answered) > SLOW_MICROS;
    }

    /** The one that tells more: the newer one, unless the clock stood still for it. */
    ServerTime orNewer(ServerTime newer) {
        return newer.latestMicros() < earliestMicros() ? this : newer;
    }
}
