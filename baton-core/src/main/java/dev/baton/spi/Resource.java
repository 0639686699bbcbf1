package dev.baton.spi;

import java.util.Objects;

/**
 * A name together with what it stands for.
 *
 * @param name any UTF-8 text of up to {@link Protocol#MAX_NAME_BYTES} bytes
 * @param kind what the name stands for
 * @param capacity how much weight may be held at once, at least 1; exactly 1 for a {@link Kind#LOCK}
 * @since 0.1
 */
public record Resource(String name, Kind kind, int capacity) {
    /** Checks what no store could serve. */
    public Resource {
        Objects.requireNonNull(name, "name");
        Objects.requireNonNull(kind, "kind");
        if (capacity < 1 || (kind == Kind.LOCK && capacity != 1)) {
            throw new IllegalArgumentException("capacity " + capacity + " does not fit a " + kind);
        }
    }

    /**
     * A lock.
     *
     * @param name the lock's name
     * @return the resource with capacity 1
     */
    public static Resource lock(String name) {
        return new Resource(name, Kind.LOCK, 1);
    }
}
