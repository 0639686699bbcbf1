package dev.baton.examples.store;

import dev.baton.spi.Capabilities;
import dev.baton.spi.Store;
import dev.baton.spi.StoreConfig;
import dev.baton.spi.StoreFailure;
import dev.baton.spi.StoreProvider;
import java.nio.file.Path;
import java.util.Map;

// tag::provider[]
/** Opens {@code dir:/path/of/a/directory}. Named in META-INF/services/dev.baton.spi.StoreProvider. */
public final class DirectoryStoreProvider implements StoreProvider {
    @Override
    public Map<String, Capabilities> schemes() {
        return Map.of("dir", DirectoryStore.CAPABILITIES);
    }

    @Override
    public Store open(StoreConfig config) throws StoreFailure {
        return DirectoryStore.open(config, new SharedFiles(directory(config)), DirectoryStore::wallMicros);
    }

    /** The prefix keeps the namespace ".." from being the parent directory. */
    static Path directory(StoreConfig config) {
        String path = config.uri().getSchemeSpecificPart();
        return Path.of(path).toAbsolutePath().resolve("baton-" + config.namespace());
    }
}
// end::provider[]
