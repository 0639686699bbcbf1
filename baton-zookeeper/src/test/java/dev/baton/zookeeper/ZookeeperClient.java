package dev.baton.zookeeper;

import static org.assertj.core.api.Assertions.assertThat;

import dev.baton.spi.Acquire;
import dev.baton.spi.Cancel;
import dev.baton.spi.CommandNumber;
import dev.baton.spi.Heartbeat;
import dev.baton.spi.Note;
import dev.baton.spi.Protocol;
import dev.baton.spi.Push;
import dev.baton.spi.Release;
import dev.baton.spi.Resource;
import dev.baton.spi.Store;
import dev.baton.spi.StoreConfig;
import dev.baton.spi.StoreFailure;
import dev.baton.spi.StoreListener;
import dev.baton.spi.Timings;
import dev.baton.spi.WriteNote;
import java.net.URI;
import java.time.Duration;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.Callable;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;

/** A client of an ensemble, below the engine. */
final class ZookeeperClient implements StoreListener, AutoCloseable {
    static final long TIMEOUT_NANOS = TimeUnit.SECONDS.toNanos(20);
    static final long LEASE = TimeUnit.SECONDS.toMicros(30);
    static final String ROOT = "/tests";

    private final AtomicLong counter = new AtomicLong();
    private final BlockingQueue<Push> pushes = new LinkedBlockingQueue<>();
    private final Store store;

    ZookeeperClient(String uri, Object... resources) throws StoreFailure {
        this(Timings.DEFAULTS, uri, resources);
    }

    /** Uses other timings than a client with an engine: without one, nothing sends heartbeats for its tickets. */
    ZookeeperClient(Timings timings, String uri, Object... resources) throws StoreFailure {
        store = new ZookeeperStoreProvider()
                .open(new StoreConfig(
                        URI.create(uri),
                        "tests",
                        UUID.randomUUID().toString().replace("-", ""),
                        timings,
                        Duration.ofSeconds(10),
                        List.of(resources),
                        this));
    }

    static String parent(Resource resource) {
        return new Buckets(ROOT).parent(resource.name());
    }

    Store store() {
        return store;
    }

    long next() {
        return counter.incrementAndGet();
    }

    Acquire.Reply acquire(Resource resource, long attempt, Acquire.Mode mode, long lease, long delay, long timeout)
            throws StoreFailure {
        return store.acquire(
                new Acquire(resource, CommandNumber.of(attempt), 1, lease, delay, "test", mode, 1), timeout);
    }

    Acquire.Reply acquire(Resource resource, long attempt, Acquire.Mode mode) throws StoreFailure {
        return acquire(resource, attempt, mode, LEASE, 0, TIMEOUT_NANOS);
    }

    /** Takes a ticket, and returns its attempt. */
    long queue(Resource resource) throws StoreFailure {
        long attempt = next();
        assertThat(acquire(resource, attempt, Acquire.Mode.QUEUE)).isInstanceOf(Acquire.Queued.class);
        return attempt;
    }

    /** Acquires, and returns the command that releases. */
    Release hold(Resource resource) throws StoreFailure {
        return hold(resource, LEASE, 0);
    }

    Release hold(Resource resource, long lease, long delay) throws StoreFailure {
        long attempt = next();
        Acquire.Reply reply = acquire(resource, attempt, Acquire.Mode.TRY, lease, delay, TIMEOUT_NANOS);
        assertThat(reply).isInstanceOf(Acquire.Granted.class);
        return releaseOf(resource, attempt, ((Acquire.Granted) reply).token());
    }

    Release releaseOf(Resource resource, long attempt, long token) {
        return new Release(resource, attempt, token, new CommandNumber(counter::incrementAndGet));
    }

    boolean release(Release held) throws StoreFailure {
        return store.release(held, TIMEOUT_NANOS).released();
    }

    /** Writes some note. */
    void writeNote(Release held) throws StoreFailure {
        Note note = new Note(Protocol.firstToken(held.token()), next(), new byte[] {1});
        WriteNote command = new WriteNote(held.resource(), held.attempt(), held.token(), note);
        assertThat(store.writeNote(command, TIMEOUT_NANOS)).isInstanceOf(WriteNote.Written.class);
    }

    void cancel(Resource resource, long attempt) throws StoreFailure {
        store.cancel(new Cancel(resource, attempt, new CommandNumber(counter::incrementAndGet)), TIMEOUT_NANOS);
    }

    Heartbeat.TicketReply poll(Resource resource, long attempt) throws StoreFailure {
        Heartbeat poll =
                new Heartbeat(CommandNumber.of(next()), List.of(), List.of(new Heartbeat.Ticket(resource, attempt)));
        return store.heartbeat(poll, TIMEOUT_NANOS).tickets().get(0);
    }

    /** Returns the pushes that arrived and were not awaited. */
    int pushes() {
        return pushes.size();
    }

    Heartbeat.HoldReply beat(Release held, String description) throws StoreFailure {
        Heartbeat.Hold hold =
                new Heartbeat.Hold(held.resource(), held.attempt(), held.token(), 1, LEASE, 0, true, description);
        return store.heartbeat(new Heartbeat(CommandNumber.of(next()), List.of(hold), List.of()), TIMEOUT_NANOS)
                .holds()
                .get(0);
    }

    Push awaitPush() throws InterruptedException {
        Push push = pushes.poll(20, TimeUnit.SECONDS);
        assertThat(push).as("a push").isNotNull();
        return push;
    }

    static void until(String what, Callable<Boolean> condition) throws Exception {
        // Only ends a wait for something that never happens.
        long end = System.nanoTime() + 3 * TIMEOUT_NANOS;
        while (!condition.call()) {
            assertThat(System.nanoTime()).as("not in time: " + what).isLessThan(end);
            Thread.sleep(5);
        }
    }

    @Override
    public void onPush(Push push) {
        pushes.add(push);
    }

    @Override
    public void onReconnect() {
        // The cases poll everything themselves.
    }

    @Override
    public void close() {
        store.close();
    }
}
