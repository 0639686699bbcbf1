package dev.baton.demo;

/** The lock that lets one shop at a time sell. Thread-safe. */
public interface ShopLock extends AutoCloseable {
    /** Waits for the lock. */
    Hold acquire() throws InterruptedException;

    @Override
    void close();

    /** The lock, as far as its holder knows. */
    interface Hold {
        /** Returns the fencing token; 0 from a lock that has none. */
        long token();

        /** Returns whether the holder believes that it has the lock. A lock without its own clock always does. */
        boolean believed();

        /**
         * Waits for a moment without a pending command to the store. A process that is stopped in the middle of a write
         * to a file would block all users of the file, with any lock.
         */
        default void settle() throws InterruptedException {}

        void release();
    }
}
