package dev.baton.spi;

import java.net.URI;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.stream.Collectors;

/**
 * The settings with which a client opens a store.
 *
 * @param uri the address that the user gave, with its scheme
 * @param namespace the prefix of everything that the store writes
 * @param clientId identity of the client: 128 random bits in 32 hexadecimal digits
 * @param timings the namespace's times
 * @param connectTimeout how long connecting may take
 * @param driverObjects objects of the store's driver that the application supplies; a store refuses those that it cannot
 *     use
 * @param listener receives pushes
 * @since 0.1
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
     * Returns the first driver object of a type.
     *
     * @param type a type that the store can use
     * @return the object, or empty if the application supplied none
     * @param <T> the type
     */
    public <T> Optional<T> driverObject(Class<T> type) {
        return driverObjects.stream().filter(type::isInstance).map(type::cast).findFirst();
    }

    /**
     * Refuses driver objects that the store cannot use, instead of ignoring them.
     *
     * @param types the types that it can use
     * @throws IllegalArgumentException if an object is of none of the types; the message names the first such object
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
