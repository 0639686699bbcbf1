/**
 * Locks in Memcached, best effort. The rules are those of {@link dev.baton.spi.ResourceState}: a name's item is looked at,
 * a command runs on it, and the difference is written back if nobody was faster.
 */
@NullMarked
package dev.baton.memcached;

import org.jspecify.annotations.NullMarked;
