package dev.baton.redis;

import dev.baton.spi.StoreFailure;

/** Refuses servers that cannot do what connections are opened for. */
@FunctionalInterface
interface Fitness {
    void require(Server server) throws StoreFailure;
}
