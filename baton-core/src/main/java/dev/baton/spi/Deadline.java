package dev.baton.spi;

/**
 * When a store's call must have returned. The one place in which stores read the JVM's clock. Immutable.
 *
 * @since 0.1
 */
public final class Deadline {
    private final long endNanos;

    private Deadline(long endNanos) {
        this.endNanos = endNanos;
    }

    /**
     * A deadline from now on.
     *
     * @param nanos time left
     * @return the deadline
     */
    public static Deadline in(long nanos) {
        return new Deadline(System.nanoTime() + nanos);
    }

    /**
     * What is left.
     *
     * @return nanoseconds; 0 or less when the time is over
     */
    public long leftNanos() {
        return endNanos - System.nanoTime();
    }

    /**
     * The earlier of this one and one from now on.
     *
     * @param nanos time left at most
     * @return the earlier deadline
     */
    public Deadline orIn(long nanos) {
        long now = System.nanoTime();
        return endNanos - now <= nanos ? this : new Deadline(now + nanos);
    }
}
