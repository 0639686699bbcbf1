package dev.baton.demo;

/** What the shops exclude each other by. Thread-safe. */
public interface ShopLock extends AutoCloseable {
    /** Waits for the lock. */
    Hold acquire() throws InterruptedException;

    @Override
    void close();

    /** The lock, as far as its holder knows. */
    interface Hold {
        /** The fencing token; 0 from a lock that has none. */
        long token();

        /** Whether the holder believes that it has the lock. A lock without a clock of its own always does. */
        boolean believed();

        /**
         * Waits for a moment in which nothing is under way to the store. To stop a process in the middle of a write to a
         * file would stop everybody who shares the file, whatever the lock.
         */
        default void settle() throws InterruptedException {}

        void release();
    }
}
