package dev.baton.jdbc;

import dev.baton.spi.Stamp;
import dev.baton.spi.Timings;

/**
 * Makes the stamps of a namespace's answers.
 *
 * @param runId identity of the data
 * @param longestGraceMicros how long a grace period lasts
 */
record Stamps(String runId, long longestGraceMicros) {
    static Stamps of(String runId, Timings timings) {
        return new Stamps(runId, timings.graceMicros());
    }

    /** Returns the stamp of an answer for which it makes no difference whether a grace period is on. */
    Stamp of(long micros) {
        return new Stamp(runId, micros, 0);
    }

    /** Returns the stamp of an answer; a grace period that has yet to begin counts with its full length. */
    Stamp of(Moment moment) {
        return new Stamp(runId, moment.micros(), isRecorded(moment) ? moment.graceMicros() : longestGraceMicros);
    }

    /**
     * Returns whether the record of the server, and of its grace period, is right. If the rest of a grace period is
     * longer than the whole, the clock was set back since it began.
     */
    boolean isRecorded(Moment moment) {
        return moment.graceMicros() >= 0 && moment.graceMicros() <= longestGraceMicros;
    }
}
