package dev.baton.bench;

/**
 * Processor time up to a moment, in any unit. Only differences mean something.
 *
 * @param capacity what all processors of the machine could have worked
 * @param busy what they worked, for anyone
 * @param own what they worked for this benchmark: its JVMs and its servers
 */
record CpuTimes(double capacity, double busy, double own) {
    /** Returns the share of the capacity that other programs took since then: from 0 to 1, or NaN if it is not known. */
    double othersSince(CpuTimes then) {
        double others = (busy - then.busy - (own - then.own)) / (capacity - then.capacity);
        return Math.max(0, Math.min(1, others));
    }
}
