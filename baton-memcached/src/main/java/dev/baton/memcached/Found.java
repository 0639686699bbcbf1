package dev.baton.memcached;

import org.jspecify.annotations.Nullable;

/**
 * A name's item as it was found.
 *
 * @param item null if there is none
 * @param cas its version
 * @param endSeconds when it ends
 */
record Found(@Nullable Item item, long cas, long endSeconds) {
    static final Found NOTHING = new Found(null, 0, 0);
}
