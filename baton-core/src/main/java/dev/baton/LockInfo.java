package dev.baton;

import java.time.Duration;
import java.util.List;

/**
 * A description of a lock, as the store has it. Immutable; the lock may have changed since.
 *
 * @param name the lock's name
 * @param kind the kind of lock
 * @param holders the holders
 * @param waiters descriptions of the waiting clients, next first
 * @param keptFor how long the store grants it to no client still, though it may have no holder: the rest of the time for
 *     which its last holder kept it ({@link LockOptions#withAtLeast}), or of a lock-delay; zero if neither is on
 * @param permits of a semaphore: how many permits are granted at present, which {@link DistributedSemaphore#resize} may
 *     have lowered; 0 for the other kinds
 * @since 0.1
 */
public record LockInfo(
        String name, Kind kind, List<Holder> holders, List<String> waiters, Duration keptFor, int permits) {
    /** The kinds of locks. */
    public enum Kind {
        /** A lock: one holder at a time. */
        LOCK("lock"),
        /** A read-write lock: one writer, or any number of readers. */
        READ_WRITE_LOCK("read-write lock"),
        /** A semaphore: as many holders as it has permits. */
        SEMAPHORE("semaphore");

        private final String words;

        Kind(String words) {
            this.words = words;
        }

        /** Returns the kind in words. */
        @Override
        public String toString() {
            return words;
        }
    }

    /**
     * A holder.
     *
     * @param description host, process, thread and since when, as the holder described itself
     * @param clientId the holder's client
     * @param storeToken the token that the store keeps: the public tokens of the hold divided by 256
     * @param firstToken what {@link Lease#token} said to the first lease of the hold. Leases that it was handed on to
     *     within the same client count on from it, so a resource sees this one or one of the 255 above
     * @param remaining how long it stays without renewal
     * @param revoked whether force was used on it already
     * @param permits of a semaphore: how many permits it has; 0 for the other kinds
     */
    public record Holder(
            String description,
            String clientId,
            long storeToken,
            long firstToken,
            Duration remaining,
            boolean revoked,
            int permits) {}
}
