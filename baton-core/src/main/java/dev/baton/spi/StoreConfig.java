package dev.baton.spi;

import java.net.URI;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.stream.Collectors;

/**
 * What a store is opened with.
 *
 * @param uri the address the user gave, scheme included
 * @param namespace the prefix of everything that is stored
 * @param clientId identity of the client: 128 random bits in 32 hexadecimal digits
 * @param timings the namespace's times
 * @param connectTimeout how long connecting may take
 * @param driverObjects objects of the store's driver that the application supplies; a store refuses those that it cannot
 *     use
 * @param listener where pushes go
 */
public record StoreConfig(
        URI uri,
        String namespace,
        String clientId,
        Timings timings,
        Duration connectTimeout,
        List<Object> driverObjects,
        StoreListener listener) {
    /**
     * Finds the driver object of a type.
     *
     * @param type a type that the store can use
     * @return the first such object, if the application supplied one
     * @param <T> the type
     */
    public <T> Optional<T> driverObject(Class<T> type) {
        return driverObjects.stream().filter(type::isInstance).map(type::cast).findFirst();
    }

    /**
     * Refuses driver objects that the store cannot use, instead of ignoring them.
     *
     * @param types the types that it can use
     * @throws IllegalArgumentException naming the first that is of none of the types
     */
    public void requireDriverObjectsOf(Class<?>... types) {
        for (Object object : driverObjects) {
            if (Arrays.stream(types).noneMatch(type -> type.isInstance(object))) {
                throw new IllegalArgumentException("the store for " + uri.getScheme()
                        + ": cannot use the driver object "
                        + object.getClass().getName() + "; it takes "
                        + (types.length == 0
                                ? "none"
                                : Arrays.stream(types).map(Class::getName).collect(Collectors.joining(", "))));
            }
        }
    }

    /** Leaves out the address, which may contain a password, and the driver objects, which may print one. */
    @Override
    public String toString() {
        return "StoreConfig[" + uri.getScheme() + ":, namespace " + namespace + ", client " + clientId + ']';
    }
}
