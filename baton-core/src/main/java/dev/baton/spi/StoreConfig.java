package dev.baton.spi;

import java.net.URI;
import java.time.Duration;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/**
 * What a store is opened with.
 *
 * @param uri the address the user gave, scheme included
 * @param namespace the prefix of everything that is stored
 * @param clientId identity of the client: 128 random bits in 32 hexadecimal digits
 * @param timings the namespace's times
 * @param connectTimeout how long connecting may take
 * @param listener where pushes go
 * @param clock for tests alone: replaces the store's own clock, in microseconds; null in production
 */
public record StoreConfig(
        URI uri,
        String namespace,
        String clientId,
        Timings timings,
        Duration connectTimeout,
        StoreListener listener,
        @Nullable LongSupplier clock) {}
