package dev.baton.demo;

import java.util.List;

/**
 * The size of the sale.
 *
 * @param store the address of the store with Baton's lock
 * @param processes how many shops there are
 * @param threads how many buyers each shop serves at once
 * @param stock how many units there are
 * @param rounds the rounds, one per lock
 */
public record Settings(String store, int processes, int threads, int stock, List<Round> rounds) {
    int buyers() {
        return processes * threads;
    }
}
