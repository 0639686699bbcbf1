package dev.baton.tck;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.baton.spi.Acquire;
import dev.baton.spi.Capabilities;
import dev.baton.spi.Kind;
import dev.baton.spi.Resource;
import dev.baton.spi.StoreFailure;
import dev.baton.spi.Timings;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/** The setting of one contract test: a fresh store, a clock moved by hand, and clients. */
final class StoreStage {
    /** 2025-06-01: late enough for tokens to follow the clock. */
    static final long START_MICROS = 1_748_736_000_000_000L;

    private final AtomicLong clock = new AtomicLong(START_MICROS);
    private final List<StoreClient> clients = new ArrayList<>();
    private final StoreFixture fixture;

    StoreStage(StoreFixture fixture) {
        this.fixture = fixture;
    }

    StoreFixture fixture() {
        return fixture;
    }

    Capabilities capabilities() {
        return fixture.capabilities();
    }

    /** Connects one more client, on the clock moved by hand. */
    StoreClient client() throws StoreFailure {
        return client(clock::get);
    }

    /** Connects one more client; null for the store's own clock. */
    StoreClient client(@Nullable LongSupplier microsOrNull) throws StoreFailure {
        String id = String.format("%032x", clients.size() + 1);
        StoreClient client =
                new StoreClient(id, listener -> fixture.open(id, Timings.DEFAULTS, listener, microsOrNull));
        clients.add(client);
        return client;
    }

    long now() {
        return clock.get();
    }

    void pass(Duration time) throws StoreFailure {
        passMicros(time.toNanos() / 1_000);
    }

    void passMicros(long micros) throws StoreFailure {
        fixture.settle();
        clock.addAndGet(micros);
        fixture.timePassed();
    }

    /** Returns whether every client sees every deadline. Otherwise each client sees only its own. */
    boolean showsDeadlines() {
        return capabilities().session() == null;
    }

    /**
     * For a store without a queue: asserts that it says so. This ends the test.
     *
     * @return true if the rest of the test does not apply to this store
     */
    boolean endsWithoutQueue() throws StoreFailure {
        if (capabilities().queue()) {
            return false;
        }
        Resource lock = Resource.lock("without queue");
        StoreClient owner = client();
        StoreClient other = client();
        owner.hold(lock);
        assertThat(other.acquire(lock, 1, other.nextNumber(), StoreClient.LEASE, 0, Acquire.Mode.QUEUE))
                .isInstanceOf(Acquire.Held.class);
        return true;
    }

    /**
     * For a store that has only locks: asserts that it refuses all other kinds. This ends the test.
     *
     * @return true if the rest of the test does not apply to this store
     */
    boolean endsWithoutShares() throws StoreFailure {
        if (capabilities().shares()) {
            return false;
        }
        StoreClient client = client();
        for (Resource resource : List.of(semaphore("shared", 1), semaphore("shared", 3), readWrite("shared"))) {
            for (Acquire.Mode mode : Acquire.Mode.values()) {
                assertThatThrownBy(() -> client.acquire(resource, 1, client.nextNumber(), StoreClient.LEASE, 0, mode))
                        .isInstanceOfSatisfying(
                                StoreFailure.class,
                                failure -> assertThat(failure.effect()).isEqualTo(StoreFailure.Effect.NONE))
                        .hasMessageContaining("\"shared\"")
                        .hasMessageContaining(resource.kind().toString())
                        .hasMessageContaining(capabilities().store());
            }
        }
        assertThat(client.isUnknown(Resource.lock("shared"))).isTrue();
        return true;
    }

    /** Returns a semaphore, or a lock if the store has only locks. */
    Resource shared(String name) {
        return capabilities().shares() ? semaphore(name, 3) : Resource.lock(name);
    }

    static Resource semaphore(String name, int capacity) {
        return new Resource(name, Kind.SEMAPHORE, capacity);
    }

    static Resource readWrite(String name) {
        return new Resource(name, Kind.READ_WRITE, Integer.MAX_VALUE);
    }

    void close() throws Exception {
        clients.forEach(StoreClient::close);
        fixture.close();
    }
}
