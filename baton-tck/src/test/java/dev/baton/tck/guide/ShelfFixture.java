package dev.baton.tck.guide;

import dev.baton.spi.Push;
import dev.baton.spi.Store;
import dev.baton.spi.StoreFailure;
import dev.baton.spi.StoreListener;
import dev.baton.spi.StoreProvider;
import dev.baton.spi.Timings;
import dev.baton.tck.StoreFixture;
import java.util.concurrent.atomic.AtomicLong;

// tag::fixture[]
/** A new, empty shelf for each case. */
final class ShelfFixture implements StoreFixture {
    private static final AtomicLong COUNT = new AtomicLong();

    private final String name = "shelf-" + COUNT.incrementAndGet();

    @Override
    public StoreProvider provider() {
        return new ShelfStoreProvider();
    }

    @Override
    public String uri() {
        return "shelf:" + name;
    }

    /** How many records are left: a store that grows with each name that was ever used fills up. */
    @Override
    public long residue() throws StoreFailure {
        try (Store store = open("0".repeat(32), Timings.DEFAULTS, DEAF, null)) {
            return ((ShelfStore) store).names();
        }
    }

    @Override
    public void close() {
        // A real one would stop its server, or drop its tables.
    }
    // end::fixture[]

    private static final StoreListener DEAF = new StoreListener() {
        @Override
        public void onPush(Push push) {
            throw new AssertionError("a shelf pushes nothing");
        }

        @Override
        public void onReconnect() {
            throw new AssertionError("a shelf has no connection");
        }
    };
}
