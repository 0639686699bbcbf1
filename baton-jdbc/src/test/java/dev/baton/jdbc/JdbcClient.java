package dev.baton.jdbc;

import static org.assertj.core.api.Assertions.assertThat;

import dev.baton.spi.Acquire;
import dev.baton.spi.CommandNumber;
import dev.baton.spi.Heartbeat;
import dev.baton.spi.Push;
import dev.baton.spi.Release;
import dev.baton.spi.Resource;
import dev.baton.spi.Store;
import dev.baton.spi.StoreConfig;
import dev.baton.spi.StoreFailure;
import dev.baton.spi.StoreListener;
import dev.baton.spi.StoreProvider;
import dev.baton.spi.Timings;
import java.net.URI;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;

/** A client of a database, below the engine, on the database's own clock. */
final class JdbcClient implements AutoCloseable {
    static final long TIMEOUT_NANOS = TimeUnit.SECONDS.toNanos(5);
    static final StoreListener DEAF = new StoreListener() {
        @Override
        public void onPush(Push push) {
            // A hint; tests poll the state of a ticket.
        }

        @Override
        public void onReconnect() {
            // A hint; tests poll the state of a ticket.
        }
    };

    private final AtomicLong counter = new AtomicLong();
    private final Store store;

    JdbcClient(StoreProvider provider, String uri, String id) throws StoreFailure {
        this(provider.open(config(uri, id, Timings.DEFAULTS)));
    }

    JdbcClient(Store store) {
        this.store = store;
    }

    static StoreConfig config(String uri, String id, Timings timings) {
        return new StoreConfig(URI.create(uri), "tests", id, timings, Duration.ofSeconds(20), List.of(), DEAF);
    }

    Store store() {
        return store;
    }

    long next() {
        return counter.incrementAndGet();
    }

    Acquire.Reply acquire(Resource resource, long attempt, Acquire.Mode mode, long timeoutNanos) throws StoreFailure {
        return store.acquire(
                new Acquire(resource, CommandNumber.of(attempt), 1, 30_000_000, 0, "test", mode, 1), timeoutNanos);
    }

    Acquire.Reply acquire(Resource resource, long attempt, Acquire.Mode mode) throws StoreFailure {
        return acquire(resource, attempt, mode, TIMEOUT_NANOS);
    }

    /** Acquires, and returns the command that releases. */
    Release hold(Resource resource) throws StoreFailure {
        long attempt = next();
        Acquire.Reply reply = acquire(resource, attempt, Acquire.Mode.TRY);
        assertThat(reply).isInstanceOf(Acquire.Granted.class);
        return new Release(
                resource, attempt, ((Acquire.Granted) reply).token(), new CommandNumber(counter::incrementAndGet));
    }

    boolean release(Release held) throws StoreFailure {
        return store.release(held, TIMEOUT_NANOS).released();
    }

    Heartbeat.Reply heartbeat(List<Heartbeat.Hold> holds, List<Heartbeat.Ticket> tickets) throws StoreFailure {
        return store.heartbeat(new Heartbeat(CommandNumber.of(next()), holds, tickets), TIMEOUT_NANOS);
    }

    Heartbeat.TicketReply poll(Resource resource, long attempt) throws StoreFailure {
        Heartbeat poll =
                new Heartbeat(CommandNumber.of(next()), List.of(), List.of(new Heartbeat.Ticket(resource, attempt)));
        return store.heartbeat(poll, TIMEOUT_NANOS).tickets().get(0);
    }

    @Override
    public void close() {
        store.close();
    }
}
