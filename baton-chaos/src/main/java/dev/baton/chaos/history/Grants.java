package dev.baton.chaos.history;

import java.util.Arrays;
import java.util.Collection;
import java.util.OptionalLong;

/** When locks were granted, of all names. Immutable. */
public final class Grants {
    private final long[] sorted;

    private Grants(long[] sorted) {
        this.sorted = sorted;
    }

    /** Returns the grants of holds. */
    public static Grants of(Collection<Hold> holds) {
        return new Grants(holds.stream().mapToLong(Hold::firstNanos).sorted().toArray());
    }

    /** Returns the first that is not earlier than a time; empty if there is none. */
    public OptionalLong nextFrom(long nanos) {
        int next = indexFrom(nanos);
        return next == sorted.length ? OptionalLong.empty() : OptionalLong.of(sorted[next]);
    }

    /** Returns how many are earlier than a time: the place of the first that is not. */
    public int indexFrom(long nanos) {
        return firstFrom(sorted, nanos);
    }

    /** Returns the place of the first of sorted times that is not earlier than a time. */
    public static int firstFrom(long[] sorted, long nanos) {
        int at = Arrays.binarySearch(sorted, nanos);
        if (at < 0) {
            return -at - 1;
        }
        // Of equal times the search finds any.
        while (at > 0 && sorted[at - 1] == nanos) {
            at--;
        }
        return at;
    }
}
