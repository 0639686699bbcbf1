package dev.baton.etcd;

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
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;

/** A client below the engine. */
final class EtcdTestClient implements StoreListener, AutoCloseable {
    static final long TIMEOUT_NANOS = TimeUnit.SECONDS.toNanos(5);
    static final String NAMESPACE = "tests";

    private final AtomicLong counter = new AtomicLong();
    private final BlockingQueue<Push> pushes = new LinkedBlockingQueue<>();
    private final Store store;

    EtcdTestClient(String uri, String id) throws StoreFailure {
        this(Timings.DEFAULTS, uri, id);
    }

    /** Uses other timings than a client with an engine: without one, nothing sends heartbeats for its tickets. */
    EtcdTestClient(Timings timings, String uri, String id) throws StoreFailure {
        store = new EtcdStoreProvider().open(config(timings, uri, id, this));
    }

    static StoreConfig config(String uri, String id, StoreListener listener, Object... resources) {
        return config(Timings.DEFAULTS, uri, id, listener, resources);
    }

    private static StoreConfig config(
            Timings timings, String uri, String id, StoreListener listener, Object... resources) {
        return new StoreConfig(
                URI.create(uri),
                NAMESPACE,
                id.repeat(32 / id.length()),
                timings,
                Duration.ofSeconds(timings.equals(Timings.DEFAULTS) ? 5 : 30),
                List.of(resources),
                listener);
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

    void cancel(Resource resource, long attempt, long timeoutNanos) throws StoreFailure {
        store.cancel(new Cancel(resource, attempt, CommandNumber.of(next())), timeoutNanos);
    }

    Heartbeat.HoldReply beat(Release held) throws StoreFailure {
        Heartbeat.Hold hold =
                new Heartbeat.Hold(held.resource(), held.attempt(), held.token(), 1, 30_000_000, 0, true, "test");
        return store.heartbeat(new Heartbeat(CommandNumber.of(next()), List.of(hold), List.of()), TIMEOUT_NANOS)
                .holds()
                .get(0);
    }

    /** Returns the pushes that arrived and were not awaited. */
    int pushes() {
        return pushes.size();
    }

    /** Returns the next push, or null. */
    Push push(Duration within) throws InterruptedException {
        return pushes.poll(within.toNanos(), TimeUnit.NANOSECONDS);
    }

    @Override
    public void onPush(Push push) {
        pushes.add(push);
    }

    @Override
    public void onReconnect() {
        // A hint; tests poll the state of a hold.
    }

    @Override
    public void close() {
        store.close();
    }
}
