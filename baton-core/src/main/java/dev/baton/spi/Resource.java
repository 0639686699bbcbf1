package dev.baton.spi;

import java.util.Objects;

/**
 * A name with the kind and capacity that it stands for.
 *
 * @param name any UTF-8 text of up to {@link Protocol#MAX_NAME_BYTES} bytes
 * @param kind the kind of lock
 * @param capacity how much weight may be held at once, at least 1; exactly 1 for a {@link Kind#LOCK}
 * @since 0.1
 */
public record Resource(String name, Kind kind, int capacity) {
    /**
     * Refuses a resource that no store could serve.
     *
     * @throws IllegalArgumentException if the capacity is less than 1, or is not 1 for a {@link Kind#LOCK}
     */
    public Resource {
        Objects.requireNonNull(name, "name");
        Objects.requireNonNull(kind, "kind");
        if (capacity < 1 || (kind == Kind.LOCK && capacity != 1)) {
            throw new IllegalArgumentException("capacity " + capacity + " does not fit a " + kind);
        }
    }

    /**
     * Returns whether others may hold this resource beside a hold: a reader, or permits.
     *
     * @param weight the hold's weight
     * @return true if they may, by the kind
     */
    public boolean isSharedAt(int weight) {
        return kind == Kind.SEMAPHORE || weight < capacity;
    }

    /**
     * Returns the resource of a lock.
     *
     * @param name the lock's name
     * @return the resource with capacity 1
     */
    public static Resource lock(String name) {
        return new Resource(name, Kind.LOCK, 1);
    }

    /**
     * Returns the resource of a read-write lock.
     *
     * @param name the lock's name
     * @return the resource with the largest capacity, which a writer takes as a whole
     */
    public static Resource readWrite(String name) {
        return new Resource(name, Kind.READ_WRITE, Integer.MAX_VALUE);
    }

    /**
     * Returns the resource of a semaphore.
     *
     * @param name the semaphore's name
     * @param permits how many may be held at once, at least 1
     * @return the resource with that capacity
     */
    public static Resource semaphore(String name, int permits) {
        return new Resource(name, Kind.SEMAPHORE, permits);
    }
}
