package dev.baton.tck;

import dev.baton.spi.Capabilities;
import dev.baton.spi.Store;
import dev.baton.spi.StoreConfig;
import dev.baton.spi.StoreFailure;
import dev.baton.spi.StoreProvider;
import java.util.Map;
import java.util.function.LongSupplier;

/** The memory store with a flaw. */
final class BrokenFixture implements StoreFixture {
    private final MemoryFixture sound = new MemoryFixture();
    private final BrokenStore.Flaw flaw;

    BrokenFixture(BrokenStore.Flaw flaw) {
        this.flaw = flaw;
    }

    @Override
    public StoreProvider provider() {
        StoreProvider provider = sound.provider();
        return new StoreProvider() {
            @Override
            public Map<String, Capabilities> schemes() {
                return provider.schemes();
            }

            @Override
            public Store open(StoreConfig config) throws StoreFailure {
                return new BrokenStore(flaw, config.clientId(), provider.open(config));
            }
        };
    }

    @Override
    public Store open(StoreConfig config, LongSupplier clock) throws StoreFailure {
        return new BrokenStore(flaw, config.clientId(), sound.open(config, clock));
    }

    @Override
    public String uri() {
        return sound.uri();
    }

    @Override
    public long residue() {
        return sound.residue();
    }

    @Override
    public void close() {
        sound.close();
    }
}
