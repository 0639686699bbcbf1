package dev.baton.bench;

/**
 * Processor time up to a moment, in any unit. Only differences between two moments have a meaning.
 *
 * @param capacity the time that all processors of the machine had
 * @param busy the time that processes used
 * @param own the time that this benchmark used, in its JVMs and its servers
 */
record CpuTimes(double capacity, double busy, double own) {
    /** Returns the share of the capacity that other programs took since then: from 0 to 1, or NaN if it is unknown. */
    double othersSince(CpuTimes then) {
        double others = (busy - then.busy - (own - then.own)) / (capacity - then.capacity);
        return Math.max(0, Math.min(1, others));
    }
}
