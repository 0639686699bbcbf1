package dev.baton.redis;

import java.util.stream.LongStream;

/**
 * How the answers of several independent servers count.
 *
 * @param members how many servers there are, an odd number
 */
record Quorum(int members) {
    /** Returns how many of them decide: any two majorities have a member in common. */
    int majority() {
        return members / 2 + 1;
    }

    boolean isMajority(long count) {
        return count >= majority();
    }

    /** Returns what to say if only so many answered. */
    String tooFew(long answered) {
        return answered + " of the " + members + " members of the quorum answered, and " + majority() + " must";
    }

    /** Returns the greatest number that a majority has or exceeds: fewer members than that have 0. */
    long ofMajority(LongStream values) {
        return -values.map(value -> -value)
                .sorted()
                .skip(majority() - 1L)
                .findFirst()
                .orElse(0);
    }

    /** Returns the smallest number that a majority does not exceed; the given one if too few members have a number. */
    long soonestOfMajority(LongStream values, long otherwise) {
        return values.sorted().skip(majority() - 1L).findFirst().orElse(otherwise);
    }
}
