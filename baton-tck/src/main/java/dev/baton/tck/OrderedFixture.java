package dev.baton.tck;

import dev.baton.internal.ordered.OrderedStore;
import dev.baton.spi.Store;
import dev.baton.spi.StoreFailure;
import dev.baton.spi.StoreListener;
import dev.baton.spi.Timings;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/**
 * A fixture on a shared server of an ordered store, whose clients keep their own deadlines. It tells the clients on a
 * clock moved by hand when that clock was moved.
 */
public abstract class OrderedFixture implements StoreFixture {
    private final List<OrderedStore> stores = new CopyOnWriteArrayList<>();

    /** Makes a fixture without stores. */
    protected OrderedFixture() {}

    /**
     * Ends a client's session at the server, as if the server had not heard from the client for too long.
     *
     * @param clientId the client
     * @throws Exception if the server does not do it
     */
    public abstract void endSession(String clientId) throws Exception;

    @Override
    public Store open(String clientId, Timings timings, StoreListener listener, @Nullable LongSupplier clock)
            throws StoreFailure {
        Store store = StoreFixture.super.open(clientId, timings, listener, clock);
        if (clock != null) {
            stores.add((OrderedStore) store);
        }
        return store;
    }

    @Override
    public void settle() throws StoreFailure {
        // Readers of several clients begin one after the other, each with the token of the one before it.
        // Watches let them begin meanwhile, too: only two equal counts say that it is over.
        int before;
        int waiting = -1;
        do {
            before = waiting;
            waiting = 0;
            for (OrderedStore store : stores) {
                waiting += store.lookAround(StoreClient.TIMEOUT_NANOS);
            }
        } while (waiting != before);
    }

    @Override
    public void timePassed() throws StoreFailure {
        // As if time had not jumped: what is overdue first ends first, and its lock-delay begins before others may
        // hold. At the same time, those with a lock-delay end first, as they do on the reference.
        List<OrderedStore> inOrder = new ArrayList<>(stores);
        inOrder.sort(Comparator.comparingLong(OrderedStore::nextDeadlineMicros)
                .thenComparing(OrderedStore::isNextDelaying, Comparator.reverseOrder()));
        for (OrderedStore store : inOrder) {
            store.timePassed(StoreClient.TIMEOUT_NANOS);
        }
        settle();
    }

    @Override
    public long nextDeadlineMicros() {
        return stores.stream().mapToLong(OrderedStore::nextDeadlineMicros).min().orElse(Long.MAX_VALUE);
    }

    @Override
    public void close() {
        // The server is shared.
    }
}
