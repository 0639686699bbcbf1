package dev.baton.jdbc;

/** When a call must have returned. The one place of this module that reads the JVM's clock. */
final class Deadline {
    private final long endNanos;

    private Deadline(long endNanos) {
        this.endNanos = endNanos;
    }

    static Deadline in(long nanos) {
        return new Deadline(System.nanoTime() + nanos);
    }

    /** What is left; 0 or less when the time is over. */
    long leftNanos() {
        return endNanos - System.nanoTime();
    }
}
