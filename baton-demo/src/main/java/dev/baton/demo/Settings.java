package dev.baton.demo;

import java.util.List;

/**
 * How large the sale is.
 *
 * @param store where Baton's lock lives
 * @param processes how many shops there are
 * @param threads how many buyers each serves at once
 * @param stock how many units there are
 * @param rounds under which locks
 */
public record Settings(String store, int processes, int threads, int stock, List<Round> rounds) {
    int buyers() {
        return processes * threads;
    }
}
