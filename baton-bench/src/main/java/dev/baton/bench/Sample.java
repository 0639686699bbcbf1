package dev.baton.bench;

import java.util.List;

/**
 * What one slice measured.
 *
 * @param nanos from the start of all threads to the end of the last
 * @param operations of each client
 * @param usage what the server did meanwhile
 * @param allocated bytes that all threads of this JVM allocated meanwhile
 * @param handOverNanos the median time from one holder to the next; NaN if it was not measured
 */
record Sample(long nanos, List<Long> operations, Usage usage, double allocated, double handOverNanos) {
    double total() {
        return operations.stream().mapToLong(Long::longValue).sum();
    }

    double perOperation(double figure) {
        return figure / total();
    }

    /** How far the client with the most unusual share is from the mean share; 0 if all are equal. */
    double unevenness() {
        double mean = total() / operations.size();
        return operations.stream()
                .mapToDouble(share -> Math.abs(share - mean) / mean)
                .max()
                .orElseThrow();
    }
}
