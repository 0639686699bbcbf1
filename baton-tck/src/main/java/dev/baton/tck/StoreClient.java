package dev.baton.tck;

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
import dev.baton.spi.ResourceView;
import dev.baton.spi.Stamp;
import dev.baton.spi.Store;
import dev.baton.spi.StoreFailure;
import dev.baton.spi.StoreListener;
import dev.baton.spi.WriteNote;
import java.nio.charset.StandardCharsets;
import java.util.Collection;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;

/** One client of a store under test: it numbers its commands and checks the answers. As thread-safe as its store. */
final class StoreClient implements StoreListener, AutoCloseable {
    /** Generous: a test that uses it up has failed. */
    static final long TIMEOUT_NANOS = TimeUnit.SECONDS.toNanos(20);

    /** The lease of tests that do not depend on it. */
    static final long LEASE = TimeUnit.SECONDS.toMicros(30);

    /** A hold as its client knows it. */
    record Held(Resource resource, long attempt, int weight, long token, long deadlineMicros) {
        Heartbeat.Hold named(boolean extend) {
            return named(extend, LEASE);
        }

        Heartbeat.Hold named(boolean extend, long leaseMicros) {
            return named(extend, leaseMicros, "test");
        }

        Heartbeat.Hold named(boolean extend, long leaseMicros, String owner) {
            return new Heartbeat.Hold(resource, attempt, token, weight, leaseMicros, 0, extend, owner);
        }

        Held withToken(long other) {
            return new Held(resource, attempt, weight, other, deadlineMicros);
        }

        Held withWeight(int other) {
            return new Held(resource, attempt, other, token, deadlineMicros);
        }

        Held withAttempt(long other) {
            return new Held(resource, other, weight, token, deadlineMicros);
        }
    }

    private final AtomicLong counter = new AtomicLong();
    private final BlockingQueue<Push> pushes = new LinkedBlockingQueue<>();
    private final String id;
    private final Store store;

    /** Connects a client. */
    interface Connector {
        Store connect(StoreListener listener) throws StoreFailure;
    }

    StoreClient(String id, Connector connector) throws StoreFailure {
        this.id = id;
        this.store = connector.connect(this);
    }

    String id() {
        return id;
    }

    Store store() {
        return store;
    }

    /** Returns the pushes that arrived and were not awaited. */
    Collection<Push> pushes() {
        return pushes;
    }

    /** Returns the secret that the push of an attempt's grant must repeat: large, to catch a store that cuts it. */
    static long secretOf(long attempt) {
        return attempt * 0x9E3779B97F4A7C15L | 1;
    }

    /** Returns the next push, within the time of a call. */
    Push awaitPush() throws InterruptedException {
        Push push = pushes.poll(TIMEOUT_NANOS, TimeUnit.NANOSECONDS);
        assertThat(push).as("a push").isNotNull();
        return Objects.requireNonNull(push);
    }

    long nextNumber() {
        return counter.incrementAndGet();
    }

    CommandNumber number() {
        return new CommandNumber(counter::incrementAndGet);
    }

    Acquire.Reply acquire(Resource resource, int weight, long attempt, long lease, long lockDelay, Acquire.Mode mode)
            throws StoreFailure {
        return store.acquire(
                new Acquire(
                        resource,
                        CommandNumber.of(attempt),
                        weight,
                        lease,
                        lockDelay,
                        "by " + id,
                        mode,
                        secretOf(attempt)),
                TIMEOUT_NANOS);
    }

    Acquire.Reply tryAcquire(Resource resource, int weight) throws StoreFailure {
        return acquire(resource, weight, nextNumber(), LEASE, 0, Acquire.Mode.TRY);
    }

    Held hold(Resource resource) throws StoreFailure {
        return hold(resource, 1);
    }

    Held hold(Resource resource, int weight) throws StoreFailure {
        return hold(resource, weight, LEASE, 0);
    }

    Held hold(Resource resource, int weight, long lease, long lockDelay) throws StoreFailure {
        long attempt = nextNumber();
        return held(resource, attempt, weight, acquire(resource, weight, attempt, lease, lockDelay, Acquire.Mode.TRY));
    }

    static Held held(Resource resource, long attempt, int weight, Acquire.Reply reply) {
        assertThat(reply).isInstanceOf(Acquire.Granted.class);
        Acquire.Granted granted = (Acquire.Granted) reply;
        return new Held(resource, attempt, weight, granted.token(), granted.deadlineMicros());
    }

    void expectRefused(Resource resource) throws StoreFailure {
        expectRefused(resource, 1);
    }

    void expectRefused(Resource resource, int weight) throws StoreFailure {
        assertThat(tryAcquire(resource, weight)).isInstanceOf(Acquire.Held.class);
    }

    /** Queues a ticket at this position, and returns its attempt. */
    long queue(Resource resource, int weight, int position) throws StoreFailure {
        long attempt = nextNumber();
        Acquire.Reply reply = acquire(resource, weight, attempt, LEASE, 0, Acquire.Mode.QUEUE);
        assertThat(reply).isInstanceOf(Acquire.Queued.class);
        assertThat(((Acquire.Queued) reply).position()).isEqualTo(position);
        return attempt;
    }

    long queue(Resource resource, int position) throws StoreFailure {
        return queue(resource, 1, position);
    }

    Heartbeat.Reply heartbeat(List<Heartbeat.Hold> holds, List<Heartbeat.Ticket> tickets) throws StoreFailure {
        return ByShard.heartbeat(store, new Heartbeat(number(), holds, tickets), TIMEOUT_NANOS);
    }

    Heartbeat.HoldReply renew(Held held) throws StoreFailure {
        return heartbeat(List.of(held.named(true)), List.of()).holds().get(0);
    }

    Heartbeat.HoldReply confirm(Held held) throws StoreFailure {
        return heartbeat(List.of(held.named(false)), List.of()).holds().get(0);
    }

    Heartbeat.TicketReply poll(Resource resource, long attempt) throws StoreFailure {
        return heartbeat(List.of(), List.of(new Heartbeat.Ticket(resource, attempt)))
                .tickets()
                .get(0);
    }

    void expectWaiting(Resource resource, long attempt, int position) throws StoreFailure {
        assertThat(poll(resource, attempt))
                .isInstanceOfSatisfying(
                        Heartbeat.Waiting.class,
                        waiting -> assertThat(waiting.position()).isEqualTo(position));
    }

    void expectGone(Resource resource, long attempt) throws StoreFailure {
        assertThat(poll(resource, attempt)).isEqualTo(new Heartbeat.Gone());
    }

    Held expectHandedOff(Resource resource, long attempt, int weight) throws StoreFailure {
        Heartbeat.TicketReply reply = poll(resource, attempt);
        assertThat(reply).isInstanceOf(Heartbeat.TicketGranted.class);
        Heartbeat.TicketGranted granted = (Heartbeat.TicketGranted) reply;
        return new Held(resource, attempt, weight, granted.token(), granted.deadlineMicros());
    }

    Held expectHandedOff(Resource resource, long attempt) throws StoreFailure {
        return expectHandedOff(resource, attempt, 1);
    }

    boolean release(Held held) throws StoreFailure {
        return release(held, 0);
    }

    /** Releases a hold, and keeps it from all clients for a time. */
    boolean release(Held held, long keepMicros) throws StoreFailure {
        Release plain = releaseOf(held);
        Release command =
                new Release(plain.resource(), plain.attempt(), plain.token(), plain.number(), false, keepMicros);
        return store.release(command, TIMEOUT_NANOS).released();
    }

    Release releaseOf(Held held) {
        return new Release(held.resource(), held.attempt(), held.token(), number());
    }

    Stamp cancel(Resource resource, long attempt) throws StoreFailure {
        return store.cancel(new Cancel(resource, attempt, number()), TIMEOUT_NANOS);
    }

    ResourceView inspect(Resource resource) throws StoreFailure {
        return store.inspect(resource.name(), TIMEOUT_NANOS).orElseThrow();
    }

    boolean isUnknown(Resource resource) throws StoreFailure {
        return store.inspect(resource.name(), TIMEOUT_NANOS).isEmpty();
    }

    boolean force(Held held, boolean now) throws StoreFailure {
        return store.forceRelease(held.resource().name(), held.token(), now, TIMEOUT_NANOS);
    }

    Optional<Note> note(Resource resource) throws StoreFailure {
        return store.note(resource.name(), TIMEOUT_NANOS).note();
    }

    /** Returns the write of a note by the first lease of a hold. */
    WriteNote noteOf(Held held, String text) {
        return noteOf(held, text, 0);
    }

    /** Returns the write of a note by one of the leases of a hold, one after the other. */
    WriteNote noteOf(Held held, String text, int lease) {
        return noteOf(held, text.getBytes(StandardCharsets.UTF_8), lease);
    }

    private WriteNote noteOf(Held held, byte[] bytes, int lease) {
        Note note = new Note(Protocol.firstToken(held.token()) + lease, nextNumber(), bytes);
        return new WriteNote(held.resource(), held.attempt(), held.token(), note);
    }

    WriteNote.Reply write(WriteNote command) throws StoreFailure {
        return store.writeNote(command, TIMEOUT_NANOS);
    }

    WriteNote.Reply writeNote(Held held, String text) throws StoreFailure {
        return write(noteOf(held, text));
    }

    WriteNote.Reply writeNote(Held held, byte[] bytes) throws StoreFailure {
        return write(noteOf(held, bytes, 0));
    }

    WriteNote.Reply forget(Resource resource) throws StoreFailure {
        return store.forgetNote(resource.name(), TIMEOUT_NANOS);
    }

    @Override
    public void onPush(Push push) {
        pushes.add(push);
    }

    @Override
    public void onReconnect() {
        // The contracts ask for everything themselves.
    }

    @Override
    public void close() {
        store.close();
    }
}
