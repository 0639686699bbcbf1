package dev.baton.bench;

import java.util.List;
import org.HdrHistogram.Histogram;

/**
 * What one turn measured, over all JVMs.
 *
 * @param nanos from the start of all threads to the end of the last
 * @param operations of each client
 * @param faults what went wrong without ending the turn
 * @param usage what the server did meanwhile
 * @param allocated bytes that the clients' JVMs allocated meanwhile
 * @param cpuNanos processor time that the clients' JVMs used meanwhile
 * @param waits how long it took to get the lock
 * @param handOvers how long it took from one holder to the next
 */
record Sample(
        long nanos,
        List<Long> operations,
        long faults,
        Usage usage,
        double allocated,
        double cpuNanos,
        Histogram waits,
        Histogram handOvers) {

    static Sample of(List<Part> parts, Usage usage) {
        return new Sample(
                parts.stream().mapToLong(Part::nanos).max().orElseThrow(),
                parts.stream().flatMap(part -> part.operations().stream()).toList(),
                parts.stream().mapToLong(Part::faults).sum(),
                usage,
                parts.stream().mapToLong(Part::allocated).sum(),
                parts.stream().mapToLong(Part::cpuNanos).sum(),
                Waits.sum(parts.stream().map(Part::waits).toList()),
                Waits.sum(parts.stream().map(Part::handOvers).toList()));
    }

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
