package dev.baton.bench;

import java.util.List;
import java.util.stream.IntStream;

/**
 * Orders the contestants of each round. In as many rounds as there are contestants, each has each place once. If
 * their number is even, each also follows each other contestant once, so that none always runs after the same one.
 */
final class Rotation {
    private Rotation() {}

    /**
     * Returns the order of a round.
     *
     * @param contestants in any order, the same in each round
     * @param round its number, from 0
     */
    static <T> List<T> order(List<T> contestants, int round) {
        int count = contestants.size();
        return IntStream.range(0, count)
                .mapToObj(place -> contestants.get((zigzag(place, count) + round) % count))
                .toList();
    }

    /** Returns 0, 1, -1, 2, -2, … modulo the count; the differences of neighbours are all different. */
    private static int zigzag(int place, int count) {
        int step = (place + 1) / 2;
        return place % 2 == 1 ? step : (count - step) % count;
    }
}
