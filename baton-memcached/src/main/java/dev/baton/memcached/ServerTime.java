package dev.baton.memcached;

import dev.baton.spi.Deadline;
import java.util.concurrent.TimeUnit;

/**
 * A client's knowledge of the server's clock, which counts in seconds: one value that the server reported, between the
 * question and its answer. Immutable.
 *
 * <p>Items are stored with the second at which they end, and not with their life in seconds: a process that was stopped
 * and continues counts a life from the moment of the stop, until its clock ticks. So a client must know how late it may
 * be there. Clocks are assumed to run at rates within 1 % of each other, as everywhere.
 *
 * @param seconds the value that the server reported
 * @param sent when the question was sent
 * @param answered when the answer had arrived
 */
record ServerTime(long seconds, Deadline sent, Deadline answered) {
    private static final long MICROS = 1_000_000;
    private static final long DRIFT_DIVISOR = 100;

    /** 30 s: by then the clocks may have drifted apart by a third of a second. */
    private static final long OLD_MICROS = 30 * MICROS;

    /** Half a second: an answer that took longer may be from before the clock ticked. */
    private static final long SLOW_MICROS = MICROS / 2;

    /**
     * How far the true time may be ahead of the value: the server cuts its time to a whole second, does so once a
     * second at any point of it, and, when it is busy, somewhat later. So one value stands for up to two seconds, and
     * the next tick may skip a value.
     */
    private static final long BEHIND_MICROS = 2 * MICROS + MICROS / 2;

    private static long since(Deadline ledger) {
        return -TimeUnit.NANOSECONDS.toMicros(ledger.leftNanos());
    }

    /** Returns the latest time that it may be there now. */
    long latestMicros() {
        long passed = since(sent);
        return seconds * MICROS + BEHIND_MICROS + passed + passed / DRIFT_DIVISOR;
    }

    private long earliestMicros() {
        long passed = since(answered);
        return seconds * MICROS + passed - passed / DRIFT_DIVISOR;
    }

    /** Returns whether the clock should be read again. */
    boolean isOld() {
        return since(sent) > OLD_MICROS;
    }

    /** Returns whether the answer took so long that it is better to ask again. */
    boolean wasSlow() {
        return since(sent) - since(answered) > SLOW_MICROS;
    }

    /** Returns the more precise value: the newer one, unless the clock stood still when it was read. */
    ServerTime orNewer(ServerTime newer) {
        return newer.latestMicros() < earliestMicros() ? this : newer;
    }
}
