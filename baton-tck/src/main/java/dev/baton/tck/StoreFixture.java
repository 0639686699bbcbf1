package dev.baton.tck;

import dev.baton.spi.Capabilities;
import dev.baton.spi.Store;
import dev.baton.spi.StoreConfig;
import dev.baton.spi.StoreFailure;
import dev.baton.spi.StoreListener;
import dev.baton.spi.StoreProvider;
import dev.baton.spi.Timings;
import java.net.URI;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/**
 * A store under test: empty when it is made, gone when it is closed. A store's module implements this once and
 * subclasses every contract of this package with it.
 */
@SuppressWarnings("try") // closing a fixture may stop a server, and be interrupted at it
public interface StoreFixture extends AutoCloseable {
    /** The namespace that all contracts use. */
    String NAMESPACE = "tck";

    /** The store's provider. */
    StoreProvider provider();

    /** An address under which any client, of this JVM or (reach permitting) another one, finds this very store. */
    String uri();

    /** How many records the store keeps beyond its descriptor and its fixed number of buckets. */
    long residue() throws Exception;

    /** What the store can do. */
    default Capabilities capabilities() {
        return provider().schemes().entrySet().stream()
                .filter(each -> uri().startsWith(each.getKey() + ':'))
                .map(Map.Entry::getValue)
                .findFirst()
                .orElseThrow();
    }

    /**
     * How much later than at its deadline the lock of a dead holder may be free, on the store's own clock: for stores
     * whose expiry counts in something coarse.
     */
    default Duration expiryGrain() {
        return Duration.ZERO;
    }

    /** Lets processes of other users at the store: for stores in files. */
    default void admitOtherUsers() throws Exception {}

    /**
     * Opens the store on a clock that is moved by hand, in place of its own: by a constructor that only tests can call.
     *
     * @param config what to open
     * @param clock the time in microseconds
     */
    Store open(StoreConfig config, LongSupplier clock) throws StoreFailure;

    /**
     * Connects one more client below the engine.
     *
     * @param clientId 32 hexadecimal digits
     * @param timings the namespace's times
     * @param listener where pushes go
     * @param clock replaces the store's clock, in microseconds; null for the real one
     */
    default Store open(String clientId, Timings timings, StoreListener listener, @Nullable LongSupplier clock)
            throws StoreFailure {
        StoreConfig config = new StoreConfig(
                URI.create(uri()), NAMESPACE, clientId, timings, Duration.ofSeconds(20), List.of(), listener);
        return clock == null ? provider().open(config) : open(config, clock);
    }

    /**
     * Where clients keep deadlines themselves, lets each look at what has become of its tickets, as it would have in a
     * moment. Called before a clock moved by hand is moved, and before people look.
     */
    default void settle() throws StoreFailure {}

    /** Called after a clock moved by hand was moved: where clients keep deadlines themselves, they do what is due. */
    default void timePassed() throws StoreFailure {}

    @Override
    void close() throws Exception;
}
