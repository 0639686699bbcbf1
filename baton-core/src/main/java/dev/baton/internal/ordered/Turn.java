package dev.baton.internal.ordered;

/** The result of a turn check for one ticket in a queue. */
sealed interface Turn {
    /** The ticket holds. */
    record Holds(long token) implements Turn {}

    /**
     * The ticket waits.
     *
     * @param position how many tickets wait before it
     * @param joinsReaders whether it holds as soon as the reader before it has written their shared token
     */
    record Waits(int position, boolean joinsReaders) implements Turn {}

    /** The ticket is not in the queue any more. */
    record Gone() implements Turn {}

    /** The ticket asks for more than there is as long as some of the capacity is withheld. */
    record Unfit(int permits) implements Turn {}

    /** The name stands for another kind or capacity, because of this entry. */
    record OtherKind(Entry entry) implements Turn {}
}
