package dev.baton.spi;

/**
 * The time by which a call of a store must return. Stores measure time limits on the JVM's clock only here. Immutable.
 *
 * @since 0.1
 */
public final class Deadline {
    private final long endNanos;

    private Deadline(long endNanos) {
        this.endNanos = endNanos;
    }

    /**
     * Returns a deadline that begins now.
     *
     * @param nanos time left
     * @return the deadline
     */
    public static Deadline in(long nanos) {
        return new Deadline(System.nanoTime() + nanos);
    }

    /**
     * Returns the time left.
     *
     * @return nanoseconds; 0 or less when the time is over
     */
    public long leftNanos() {
        return endNanos - System.nanoTime();
    }

    /**
     * Returns the earlier of this deadline and one that begins now.
     *
     * @param nanos time left at most
     * @return the earlier deadline
     */
    public Deadline orIn(long nanos) {
        long now = System.nanoTime();
        return endNanos - now <= nanos ? this : new Deadline(now + nanos);
    }
}
