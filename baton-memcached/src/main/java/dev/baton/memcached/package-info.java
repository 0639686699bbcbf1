/**
 * Locks in Memcached, best effort. The rules are those of {@link dev.baton.spi.ResourceState}: the client reads a
 * name's item, runs a command on it, and writes the difference back if no other client was faster.
 */
@NullMarked
package dev.baton.memcached;

import org.jspecify.annotations.NullMarked;
