package dev.baton.internal.client;

import dev.baton.Baton;
import dev.baton.BatonOptions;
import dev.baton.DistributedLock;
import dev.baton.internal.engine.StoreExceptions;
import dev.baton.spi.Protocol;
import dev.baton.spi.StoreConfig;
import dev.baton.spi.StoreFailure;
import dev.baton.spi.StoreProvider;
import dev.baton.spi.Timings;
import java.net.URI;
import java.net.URISyntaxException;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.ServiceLoader;
import java.util.TreeMap;
import java.util.stream.Collectors;

/** What users reach without a client: finds the store for an address and connects, and joins locks of several clients. */
public final class Connector {
    /** The module to add for a scheme that no provider here serves. */
    private static final Map<String, String> MODULES = new TreeMap<>(Map.of(
            "jdbc:sqlite", "baton-jdbc",
            "jdbc:postgresql", "baton-jdbc",
            "jdbc:mysql", "baton-jdbc",
            "jdbc:mariadb", "baton-jdbc",
            "jdbc:h2", "baton-jdbc",
            "redis", "baton-redis",
            "rediss", "baton-redis",
            "zookeeper", "baton-zookeeper",
            "etcd", "baton-etcd",
            "memcached", "baton-memcached"));

    private Connector() {}

    /** Connects; see {@link Baton#connect(String, BatonOptions)}. */
    public static Baton connect(String address, BatonOptions options) {
        Objects.requireNonNull(address, "uri");
        Objects.requireNonNull(options, "options");
        StoreProvider provider = providerFor(address);
        URI uri = parse(address);
        String clientId = newClientId();
        Timings timings = Timings.withGrace(options.grace());
        try {
            return new BatonClient(
                    clientId,
                    options,
                    timings,
                    SystemClock.INSTANCE,
                    listener -> provider.open(new StoreConfig(
                            uri,
                            options.namespace(),
                            clientId,
                            timings,
                            options.connectTimeout(),
                            options.driverObjects(),
                            listener)));
        } catch (StoreFailure failure) {
            throw StoreExceptions.of("cannot use " + withoutSecrets(address) + ": " + failure.getMessage(), failure);
        }
    }

    /** Makes one lock of several, perhaps of several clients; see {@link DistributedLock#allOf}. */
    public static DistributedLock allOf(DistributedLock... locks) {
        return GroupLock.of(List.of(locks));
    }

    /** Returns a fresh identity: 128 random bits. */
    public static String newClientId() {
        return Protocol.newId();
    }

    private static StoreProvider providerFor(String address) {
        if (address.isBlank() || address.indexOf(':') <= 0) {
            throw new IllegalArgumentException("\"" + withoutSecrets(address)
                    + "\" is not an address of a store: it must start with a scheme and a colon, as in "
                    + "memory:, jdbc:sqlite:locks.db or redis://localhost:6379");
        }
        List<StoreProvider> providers =
                ServiceLoader.load(StoreProvider.class, Connector.class.getClassLoader()).stream()
                        .map(ServiceLoader.Provider::get)
                        .toList();
        return providers.stream()
                .filter(provider ->
                        provider.schemes().keySet().stream().anyMatch(scheme -> address.startsWith(scheme + ':')))
                .findFirst()
                .orElseThrow(() -> unknownScheme(address, providers));
    }

    private static IllegalArgumentException unknownScheme(String address, List<StoreProvider> providers) {
        String here = providers.stream()
                .flatMap(provider -> provider.schemes().keySet().stream())
                .sorted()
                .map(scheme -> scheme + ':')
                .collect(Collectors.joining(", "));
        String module = MODULES.entrySet().stream()
                .filter(entry -> address.startsWith(entry.getKey() + ':') || address.startsWith(entry.getKey() + '+'))
                .map(entry -> "add dev.baton:" + entry.getValue() + " to the class path")
                .findFirst()
                .orElse("no module of Baton serves it");
        return new IllegalArgumentException(
                "no store for " + withoutSecrets(address) + ": the class path has " + here + "; " + module);
    }

    private static URI parse(String address) {
        try {
            // A URI needs a part behind its scheme. The slash tells the store of "memory:" that it has no name.
            return new URI(address.endsWith(":") ? address + '/' : address);
        } catch (URISyntaxException unquoted) {
            return quoted(address, unquoted);
        }
    }

    /** File names may contain characters that a URI may not, such as spaces. */
    private static URI quoted(String address, URISyntaxException why) {
        int colon = address.indexOf(':');
        try {
            return new URI(address.substring(0, colon), address.substring(colon + 1), null);
        } catch (URISyntaxException malformed) {
            // Without the cause: its message quotes the address, which may contain a password.
            throw new IllegalArgumentException("\"" + withoutSecrets(address) + "\" is malformed: " + why.getReason()
                    + " at index " + why.getIndex());
        }
    }

    /**
     * Returns the address without the part between “//” and the last “@”, and without its options, which begin at the
     * first “?”, “;” or “(”. A password that was not escaped may contain any of these, so the text before a later “@”
     * is removed as well.
     */
    static String withoutSecrets(String address) {
        return address.replaceAll("(?s)//.*[?;(].*@.*", "//…")
                .replaceAll("(?s)//.*@", "//…@")
                .replaceAll("(?s)^([^/]*?:)[^/:]*:[^/]*@", "$1…@")
                .replaceAll("(?s)([?;(]).*", "$1…");
    }
}
