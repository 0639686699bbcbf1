package dev.baton.tck;

import dev.baton.spi.Store;
import dev.baton.spi.StoreFailure;
import dev.baton.spi.line.LineStore;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;

/** The stores of a fixture whose clients keep deadlines themselves, on a clock that is moved by hand. */
public final class LineStores {
    private final List<LineStore> stores = new CopyOnWriteArrayList<>();

    /** None yet. */
    public LineStores() {}

    /** One more; the same store. */
    public Store add(Store store) {
        stores.add((LineStore) store);
        return store;
    }

    /** For {@link StoreFixture#settle}. */
    public void lookAround() throws StoreFailure {
        for (LineStore store : stores) {
            store.lookAround(StoreClient.TIMEOUT_NANOS);
        }
    }

    /** For {@link StoreFixture#timePassed}. */
    public void timePassed() throws StoreFailure {
        for (LineStore store : stores) {
            store.timePassed(StoreClient.TIMEOUT_NANOS);
        }
        lookAround();
    }
}
