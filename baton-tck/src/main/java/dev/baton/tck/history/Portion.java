package dev.baton.tck.history;

/**
 * How much of a name a hold takes.
 *
 * @param side its role
 * @param weight how much
 * @param capacity how much all holds may take together
 */
public record Portion(Side side, int weight, int capacity) {
    /** All of a lock. */
    public static final Portion LOCK = new Portion(Side.OWNER, 1, 1);

    /** The role of a hold, which decides on its token. */
    public enum Side {
        /** A lock, or the writer of a read-write lock: its token is greater than every earlier one. */
        OWNER,
        /** A writer that becomes a reader later. */
        DOWNGRADED,
        /** A writer that has become a reader: it keeps its token, and readers beside it have another one of its store token. */
        FORMER_WRITER,
        /** A reader: those that hold together have the same token. */
        READER,
        /** Permits of a semaphore: the token tells them apart, and orders nothing. */
        PERMITS
    }

    /** Rejects what no hold can take. */
    public Portion {
        if (weight < 1 || weight > capacity) {
            throw new IllegalArgumentException("a hold cannot take " + weight + " of " + capacity);
        }
    }

    /** Returns the side of a reader. */
    public static Portion reader() {
        return new Portion(Side.READER, 1, Integer.MAX_VALUE);
    }

    /** Returns the side of a writer that has become a reader. */
    public static Portion formerWriter() {
        return new Portion(Side.FORMER_WRITER, 1, Integer.MAX_VALUE);
    }

    /** Returns the side of a writer, or of one that becomes a reader. */
    public static Portion writer(boolean downgraded) {
        return new Portion(downgraded ? Side.DOWNGRADED : Side.OWNER, Integer.MAX_VALUE, Integer.MAX_VALUE);
    }

    /** Returns permits. */
    public static Portion permits(int weight, int capacity) {
        return new Portion(Side.PERMITS, weight, capacity);
    }

    /** Whether there is no room for another hold beside it. */
    public boolean isAlone() {
        return weight == capacity;
    }

    /** Whether its token tells when it was granted. */
    boolean isOrdered() {
        return side != Side.PERMITS;
    }

    /** Whether it reads, and others may beside it. */
    public boolean isReader() {
        return side == Side.READER || side == Side.FORMER_WRITER;
    }

    @Override
    public String toString() {
        return isAlone() ? side.name() : side + " " + weight + " of " + capacity;
    }
}
