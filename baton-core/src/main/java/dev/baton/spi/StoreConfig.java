package dev.baton.spi;

import java.net.URI;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.function.LongSupplier;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * What a store is opened with.
 *
 * @param uri the address the user gave, scheme included
 * @param namespace the prefix of everything that is stored
 * @param clientId identity of the client: 128 random bits in 32 hexadecimal digits
 * @param timings the namespace's times
 * @param connectTimeout how long connecting may take
 * @param resources objects of the store's driver that the application brought; a store refuses those it has no use for
 * @param listener where pushes go
 * @param clock for tests alone: replaces the store's own clock, in microseconds; null in production
 */
public record StoreConfig(
        URI uri,
        String namespace,
        String clientId,
        Timings timings,
        Duration connectTimeout,
        List<Object> resources,
        StoreListener listener,
        @Nullable LongSupplier clock) {
    /**
     * The resource of a type.
     *
     * @param type what a store can use
     * @return the first such resource, if the application brought one
     * @param <T> the type
     */
    public <T> Optional<T> resource(Class<T> type) {
        return resources.stream().filter(type::isInstance).map(type::cast).findFirst();
    }

    /**
     * Refuses resources that a store has no use for, rather than to ignore them.
     *
     * @param types what it can use
     * @throws IllegalArgumentException naming the first that is of none of the types
     */
    public void requireResourcesOf(Class<?>... types) {
        for (Object resource : resources) {
            if (Arrays.stream(types).noneMatch(type -> type.isInstance(resource))) {
                throw new IllegalArgumentException("the store for " + uri.getScheme() + ": has no use for the resource "
                        + resource.getClass().getName() + "; it takes "
                        + (types.length == 0
                                ? "none"
                                : Arrays.stream(types).map(Class::getName).collect(Collectors.joining(", "))));
            }
        }
    }

    /** Leaves the address out, which may have a password in it, and the resources, which may print one. */
    @Override
    public String toString() {
        return "StoreConfig[" + uri.getScheme() + ":, namespace " + namespace + ", client " + clientId + ']';
    }
}
