package dev.baton.memcached;

import static org.assertj.core.api.Assertions.assertThat;

import dev.baton.spi.Acquire;
import dev.baton.spi.Cancel;
import dev.baton.spi.CommandNumber;
import dev.baton.spi.Heartbeat;
import dev.baton.spi.Push;
import dev.baton.spi.Release;
import dev.baton.spi.Resource;
import dev.baton.spi.Store;
import dev.baton.spi.StoreConfig;
import dev.baton.spi.StoreFailure;
import dev.baton.spi.StoreListener;
import dev.baton.spi.Timings;
import java.net.URI;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.atomic.AtomicLong;

/** One client of a Memcached, below the engine, on the server's own time. */
final class TestClient implements AutoCloseable {
    static final String NAMESPACE = "ns";
    static final Duration LIMIT = Duration.ofSeconds(10);
    private static final AtomicLong CLIENTS = new AtomicLong();

    /** A hold as its client knows it. */
    record Held(Resource resource, Acquire.Granted granted, long attempt) {
        long token() {
            return granted.token();
        }

        Heartbeat.Hold renewedFor(Duration lease) {
            return new Heartbeat.Hold(resource, attempt, granted.token(), 1, micros(lease), 0, true, "test");
        }
    }

    private final AtomicLong numbers = new AtomicLong();
    private final Store store;

    TestClient(String uri) throws StoreFailure {
        this(uri, Timings.DEFAULTS);
    }

    TestClient(String uri, Timings timings) throws StoreFailure {
        store = new MemcachedStoreProvider()
                .open(new StoreConfig(
                        URI.create(uri),
                        NAMESPACE,
                        String.format("%032x", CLIENTS.incrementAndGet()),
                        timings,
                        LIMIT,
                        List.of(),
                        DEAF));
    }

    static final StoreListener DEAF = new StoreListener() {
        @Override
        public void onPush(Push push) {}

        @Override
        public void onReconnect() {}
    };

    static long micros(Duration time) {
        return time.toNanos() / 1_000;
    }

    Store store() {
        return store;
    }

    CommandNumber number() {
        return new CommandNumber(numbers::incrementAndGet);
    }

    Acquire asking(String name, Duration lease) {
        return new Acquire(Resource.lock(name), number(), 1, micros(lease), 0, "test", Acquire.Mode.TRY, 0);
    }

    Acquire.Reply tryAcquire(String name, Duration lease) throws StoreFailure {
        return store.acquire(asking(name, lease), LIMIT.toNanos());
    }

    Held hold(String name, Duration lease) throws StoreFailure {
        Acquire command = asking(name, lease);
        Acquire.Reply reply = store.acquire(command, LIMIT.toNanos());
        assertThat(reply).isInstanceOf(Acquire.Granted.class);
        return new Held(
                command.resource(), (Acquire.Granted) reply, command.attempt().value());
    }

    Heartbeat.HoldReply renew(Held held, Duration lease) throws StoreFailure {
        return store.heartbeat(new Heartbeat(number(), List.of(held.renewedFor(lease)), List.of()), LIMIT.toNanos())
                .holds()
                .get(0);
    }

    boolean release(Held held) throws StoreFailure {
        return store.release(new Release(held.resource(), held.attempt(), held.token(), number()), LIMIT.toNanos())
                .released();
    }

    void cancel(Acquire command) throws StoreFailure {
        store.cancel(new Cancel(command.resource(), command.attempt().value(), number()), LIMIT.toNanos());
    }

    @Override
    public void close() {
        store.close();
    }
}
