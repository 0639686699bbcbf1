package dev.baton.spi;

import java.util.Arrays;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * A small value that is kept beside a name, and outlives holds and clients. Immutable and thread-safe.
 *
 * @since 0.1
 */
public final class Note {
    /** The most bytes of a note. */
    public static final int MAX_BYTES = 1024;

    private final long token;
    private final long number;
    private final byte[] bytes;

    /**
     * Creates a note.
     *
     * @param token public token of the lease that wrote it
     * @param number the write's number, from the counter of the lease's client: one lease may write several times
     * @param bytes the value, at most {@value #MAX_BYTES} of them
     * @throws IllegalArgumentException if there are more
     */
    public Note(long token, long number, byte[] bytes) {
        if (bytes.length > MAX_BYTES) {
            throw new IllegalArgumentException("a note has at most " + MAX_BYTES + " bytes, but this one has "
                    + bytes.length + ": keep the value elsewhere, and write where it is");
        }
        this.token = token;
        this.number = number;
        this.bytes = bytes.clone();
    }

    /**
     * Returns the public token of the lease that wrote it.
     *
     * @return the token
     */
    public long token() {
        return token;
    }

    /**
     * Returns the number of the write.
     *
     * @return a later write of the same lease has a greater one
     */
    public long number() {
        return number;
    }

    /**
     * Returns the value.
     *
     * @return a copy
     */
    public byte[] bytes() {
        return bytes.clone();
    }

    /**
     * Returns whether this note was written after another one.
     *
     * @param other a note of the same name; null for none
     * @return true if a later lease wrote it, or the same lease with a greater number
     */
    public boolean isNewerThan(@Nullable Note other) {
        return other == null || token > other.token || (token == other.token && number > other.number);
    }

    @Override
    public boolean equals(@Nullable Object other) {
        return other instanceof Note that
                && token == that.token
                && number == that.number
                && Arrays.equals(bytes, that.bytes);
    }

    @Override
    public int hashCode() {
        return Objects.hash(token, number, Arrays.hashCode(bytes));
    }

    @Override
    public String toString() {
        return "Note[token " + token + ", #" + number + ", " + bytes.length + " bytes]";
    }
}
