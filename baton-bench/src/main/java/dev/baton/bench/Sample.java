package dev.baton.bench;

import java.util.List;
import org.HdrHistogram.Histogram;

/**
 * The figures of one turn, over all JVMs.
 *
 * @param nanos from the start of all threads to the end of the last
 * @param operations of each client
 * @param faults the number of faults that did not end the turn
 * @param usage the figures of the server
 * @param allocated bytes that the clients' JVMs allocated
 * @param cpuNanos processor time that the clients' JVMs used
 * @param waits the times from the request to the lock
 * @param handOvers the times from one holder to the next
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

    /** Returns the largest relative difference of a client's share from the mean share; 0 if all are equal. */
    double unevenness() {
        double mean = total() / operations.size();
        return operations.stream()
                .mapToDouble(share -> Math.abs(share - mean) / mean)
                .max()
                .orElseThrow();
    }
}
