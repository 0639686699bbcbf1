package dev.baton.tck.guide;

import dev.baton.spi.Capabilities;
import dev.baton.spi.Store;
import dev.baton.spi.StoreConfig;
import dev.baton.spi.StoreFailure;
import dev.baton.spi.StoreProvider;
import java.util.Map;

// tag::provider[]
/** Opens {@code shelf:NAME}. Named in META-INF/services/dev.baton.spi.StoreProvider, and in module-info if there is one. */
public final class ShelfStoreProvider implements StoreProvider {
    @Override
    public Map<String, Capabilities> schemes() {
        return Map.of("shelf", ShelfStore.CAPABILITIES);
    }

    @Override
    public Store open(StoreConfig config) throws StoreFailure {
        config.requireDriverObjectsOf(); // it has no use for any object of the application's
        return new ShelfStore(Shelf.named(config.uri().getSchemeSpecificPart()), config);
    }
}
// end::provider[]
