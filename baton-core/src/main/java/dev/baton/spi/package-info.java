/**
 * The interfaces that the author of a store implements: one abstract machine, used through blocking calls.
 *
 * <p>Each call is one attempt, which the store answers within the given time. A store does not retry, does not wait for
 * a lock to become free and reads no clock but its own (the server's, the database's). Waiting, retrying, renewing and
 * undoing belong to the engine, which is the same for all stores. {@link dev.baton.spi.ResourceState} is the machine in
 * plain Java; the memory store runs it, and every other store is compared with it command by command.
 *
 * <p>Leases, deadlines and other times at the store are microseconds on the store's clock, because stores count in
 * these. Time limits of calls are nanoseconds.
 */
@NullMarked
package dev.baton.spi;

import org.jspecify.annotations.NullMarked;
