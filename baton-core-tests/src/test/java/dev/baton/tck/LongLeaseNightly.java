package dev.baton.tck;

import dev.baton.spi.Capabilities;
import dev.baton.spi.Store;
import dev.baton.spi.StoreConfig;
import dev.baton.spi.StoreFailure;
import dev.baton.spi.StoreListener;
import dev.baton.spi.StoreProvider;
import dev.baton.spi.Timings;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Proxy;
import java.time.Duration;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/**
 * Shows that a store whose shortest lease is ten seconds can keep the client contract. It waits for minutes, so only
 * the profile {@code nightly} runs it.
 */
class LongLeaseNightly extends AllClientContracts {
    private static final Duration SHORTEST = Duration.ofSeconds(10);

    @Override
    protected StoreFixture newFixture() {
        return new LongLeases();
    }

    /** The memory store, which claims a shortest lease of ten seconds. */
    private static final class LongLeases implements StoreFixture {
        private final MemoryFixture memory = new MemoryFixture();

        @Override
        public StoreProvider provider() {
            return memory.provider();
        }

        @Override
        public String uri() {
            return memory.uri();
        }

        @Override
        public long residue() {
            return memory.residue();
        }

        @Override
        public Capabilities capabilities() {
            return memory.capabilities().toBuilder().shortestLease(SHORTEST).build();
        }

        @Override
        public Store open(StoreConfig config, LongSupplier clock) throws StoreFailure {
            return memory.open(config, clock);
        }

        @Override
        public Store open(String clientId, Timings timings, StoreListener listener, @Nullable LongSupplier clock)
                throws StoreFailure {
            Store store = memory.open(clientId, timings, listener, clock);
            return (Store) Proxy.newProxyInstance(
                    Store.class.getClassLoader(), new Class<?>[] {Store.class}, (self, method, arguments) -> {
                        if (method.getName().equals("capabilities")) {
                            return capabilities();
                        }
                        try {
                            return method.invoke(store, arguments);
                        } catch (InvocationTargetException failed) {
                            throw failed.getCause();
                        }
                    });
        }

        @Override
        public void close() {
            memory.close();
        }
    }
}
