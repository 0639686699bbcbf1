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
import java.util.Optional;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/**
 * A store under test: empty when it is made, gone when it is closed. A store's module implements this once and
 * subclasses every contract of this package with it.
 */
@SuppressWarnings("try") // closing a fixture may stop a server, and an interrupt may hit that
public interface StoreFixture extends AutoCloseable {
    /** The namespace that all contracts use. */
    String NAMESPACE = "tck";

    /** Another namespace on the same store, for locks of two namespaces that are held together. */
    String OTHER_NAMESPACE = "tck-other";

    /** Returns the store's provider. */
    StoreProvider provider();

    /**
     * Returns an address at which every client, of this JVM or (if the reach allows) of another one, finds this store.
     */
    String uri();

    /** Returns how many records the store keeps beyond its descriptor and its fixed number of buckets. */
    long residue() throws Exception;

    /** Returns the store's capabilities. */
    default Capabilities capabilities() {
        return provider().schemes().entrySet().stream()
                .filter(each -> uri().startsWith(each.getKey() + ':'))
                .map(Map.Entry::getValue)
                .findFirst()
                .orElseThrow();
    }

    /**
     * Returns how much later than its deadline a dead holder's lock may become free, on the store's own clock: for
     * stores whose expiry has a coarse unit.
     */
    default Duration expiryGrain() {
        return Duration.ZERO;
    }

    /** Gives processes of other users access to the store: for stores in files. */
    default void admitOtherUsers() throws Exception {}

    /**
     * Makes the store forget, for stores that can: it then has to begin a grace period, as after a failover.
     *
     * @return empty if the store cannot be made to forget
     */
    default Optional<Forgetful> forgetful() {
        return Optional.empty();
    }

    /** A store whose state can be set back. Its clients repeat their releases and cancels when they notice that. */
    interface Forgetful {
        /** Keeps the present state. */
        void remember() throws Exception;

        /** Sets the state back to what was kept, as if another server took over that had this state. */
        void forget() throws Exception;

        /** Returns for how long clients repeat a release or a cancel, in microseconds. */
        long repeatedMicros();
    }

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
     * @param listener receives pushes
     * @param clock replaces the store's clock, in microseconds; null for the real one
     */
    default Store open(String clientId, Timings timings, StoreListener listener, @Nullable LongSupplier clock)
            throws StoreFailure {
        StoreConfig config = config(NAMESPACE, clientId, timings, listener);
        return clock == null ? provider().open(config) : open(config, clock);
    }

    /**
     * Connects one more client below the engine, to one of the two namespaces, on the store's own clock.
     *
     * @param namespace {@link #NAMESPACE} or {@link #OTHER_NAMESPACE}
     * @param clientId 32 hexadecimal digits
     * @param timings the namespace's times
     * @param listener receives pushes
     */
    default Store openIn(String namespace, String clientId, Timings timings, StoreListener listener)
            throws StoreFailure {
        return namespace.equals(NAMESPACE)
                ? open(clientId, timings, listener, null)
                : provider().open(config(namespace, clientId, timings, listener));
    }

    private StoreConfig config(String namespace, String clientId, Timings timings, StoreListener listener) {
        return new StoreConfig(
                URI.create(uri()), namespace, clientId, timings, Duration.ofSeconds(20), List.of(), listener);
    }

    /**
     * If clients keep their own deadlines, makes each client check its tickets now, as it would do in a moment. Called
     * before a clock moved by hand is moved, and before views are read.
     */
    default void settle() throws StoreFailure {}

    /** Called after a clock moved by hand was moved: clients that keep their own deadlines do what is due. */
    default void timePassed() throws StoreFailure {}

    /**
     * Returns when clients that keep their own deadlines have something to do next. A clock moved by hand stops there, so
     * that what is due first happens first: a clock that jumps over the deadlines of two clients would leave their order
     * to chance.
     *
     * @return microseconds on the clock moved by hand; {@link Long#MAX_VALUE} for never
     */
    default long nextDeadlineMicros() {
        return Long.MAX_VALUE;
    }

    /**
     * Returns whether a client answers some commands without asking the store, which then learns later than the reference
     * that a hold is over. The differential contract has both learn it whenever time has passed.
     *
     * @return false by default
     */
    default boolean noticesExpiryLate() {
        return false;
    }

    @Override
    void close() throws Exception;
}
