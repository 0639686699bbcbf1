package dev.baton.tck;

import dev.baton.internal.memory.MemoryStoreProvider;
import dev.baton.spi.Store;
import dev.baton.spi.StoreConfig;
import dev.baton.spi.StoreFailure;
import dev.baton.spi.StoreProvider;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.LongSupplier;

/** The memory store under test: a named server of its own, on the clock of its first client. */
public final class MemoryFixture implements StoreFixture {
    private static final AtomicLong COUNT = new AtomicLong();

    private final String name = "tck-" + COUNT.incrementAndGet();

    /** Makes a new, empty server. */
    public MemoryFixture() {}

    @Override
    public StoreProvider provider() {
        return new MemoryStoreProvider();
    }

    @Override
    public Store open(StoreConfig config, LongSupplier clock) throws StoreFailure {
        return MemoryStoreProvider.open(config, clock);
    }

    @Override
    public String uri() {
        return "memory:" + name;
    }

    @Override
    public long residue() {
        return MemoryStoreProvider.size(name, NAMESPACE);
    }

    @Override
    public void close() {
        // The server stays registered under its name, which is never used again.
    }
}
