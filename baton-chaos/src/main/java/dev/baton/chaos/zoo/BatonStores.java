package dev.baton.chaos.zoo;

import dev.baton.spi.Capabilities;
import dev.baton.spi.Store;
import dev.baton.spi.StoreConfig;
import dev.baton.spi.StoreFailure;
import dev.baton.spi.StoreProvider;
import java.net.URI;
import java.util.HashMap;
import java.util.Map;
import java.util.Objects;
import java.util.ServiceLoader;

/**
 * Opens a store on Redis that breaks one of Baton's rules: {@code NAME+redis://…} is {@code redis://…} behind the broken
 * rule NAME. Found by the service loader of those that have this module on their class path, which is not published.
 */
public final class BatonStores implements StoreProvider {
    private static final String REDIS = "redis";

    /** Creates the provider; the service loader calls this. */
    public BatonStores() {}

    static String address(String subject, String uri) {
        return subject.substring(BatonDesign.PREFIX.length()) + '+' + uri;
    }

    @Override
    public Map<String, Capabilities> schemes() {
        Capabilities capabilities = Objects.requireNonNull(redis().schemes().get(REDIS));
        Map<String, Capabilities> schemes = new HashMap<>();
        for (Animal animal : BatonAnimals.ALL) {
            schemes.put(address(animal.subject(), REDIS), capabilities);
            schemes.put(address(animal.repairedSubject(), REDIS), capabilities);
        }
        return schemes;
    }

    @Override
    public Store open(StoreConfig config) throws StoreFailure {
        String address = config.uri().toString();
        int plus = address.indexOf('+');
        BatonDesign design =
                (BatonDesign) Animal.design(BatonAnimals.ALL, BatonDesign.PREFIX + address.substring(0, plus))
                        .orElseThrow();
        return BatonStore.open(redis(), config, URI.create(address.substring(plus + 1)), design);
    }

    private static StoreProvider redis() {
        return ServiceLoader.load(StoreProvider.class).stream()
                .filter(found -> found.type() != BatonStores.class)
                .map(ServiceLoader.Provider::get)
                .filter(provider -> provider.schemes().containsKey(REDIS))
                .findFirst()
                .orElseThrow();
    }
}
