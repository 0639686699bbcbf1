/**
 * What the author of a store implements: one abstract machine, asked by blocking calls.
 *
 * <p>A store answers one attempt per call, within the time it is given. It does not retry, does not wait for a lock to
 * become free and reads no clock but its own (the server's, the database's). Waiting, retrying, renewing and undoing
 * belong to the engine, which is the same for all stores. {@link dev.baton.spi.ResourceState} is the machine in plain
 * Java; the memory store runs it, and every other store is compared with it command by command.
 *
 * <p>All times on this side are microseconds on the store's clock, because that is what the stores themselves count.
 */
@NullMarked
package dev.baton.spi;

import org.jspecify.annotations.NullMarked;
