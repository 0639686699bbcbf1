package dev.baton.internal.ordered;

/** What a look at a line means for a ticket in it. */
sealed interface Turn {
    /** It holds. */
    record Holds(long token) implements Turn {}

    /**
     * It waits.
     *
     * @param position how many wait before it
     * @param joinsReaders whether it holds as soon as the reader before it has written down their token
     */
    record Waits(int position, boolean joinsReaders) implements Turn {}

    /** It is not there any more. */
    record Gone() implements Turn {}

    /** The name stands for what this entry wants. */
    record OtherKind(Entry entry) implements Turn {}
}
