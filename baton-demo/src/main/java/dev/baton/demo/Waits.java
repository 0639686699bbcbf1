package dev.baton.demo;

import java.util.Arrays;
import java.util.Collection;

/**
 * How long buyers waited for the lock.
 *
 * @param p50Millis half of all waits took at most this long
 * @param p99Millis 99 of 100 waits took at most this long
 */
public record Waits(double p50Millis, double p99Millis) {
    /** Reads the lists of microseconds that sellers send. */
    public static Waits of(Collection<String> lists) {
        long[] sorted = lists.stream()
                .flatMap(list -> Arrays.stream(list.split(" ")))
                .filter(number -> !number.isEmpty())
                .mapToLong(Long::parseLong)
                .sorted()
                .toArray();
        return new Waits(percentile(sorted, 50), percentile(sorted, 99));
    }

    private static double percentile(long[] sorted, int percent) {
        if (sorted.length == 0) {
            return 0;
        }
        int index = (int) Math.ceil(sorted.length * percent / 100.0) - 1;
        return Math.round(sorted[index] / 100.0) / 10.0;
    }
}
