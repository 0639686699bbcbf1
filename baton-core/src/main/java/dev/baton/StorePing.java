package dev.baton;

import java.time.Duration;

/**
 * The answer to {@link Baton#ping}. Immutable.
 *
 * @param roundTrip from the question to its answer
 * @param store the kind of store, such as {@code Redis}
 * @param server the identity of the server that answered: another one after a failover, on some stores after a restart
 * @since 0.1
 */
public record StorePing(Duration roundTrip, String store, String server) {}
