package dev.baton.redis;

import dev.baton.internal.client.Connector;
import dev.baton.spi.Acquire;
import dev.baton.spi.Cancel;
import dev.baton.spi.CommandNumber;
import dev.baton.spi.Heartbeat;
import dev.baton.spi.Note;
import dev.baton.spi.NoteView;
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
import dev.baton.tck.StoreFixture;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/** A client that uses the store directly, without the engine, which would ask again. */
final class PlainStore implements StoreListener, AutoCloseable {
    static final long LEASE_MICROS = TimeUnit.SECONDS.toMicros(30);
    static final long TIMEOUT_NANOS = TimeUnit.SECONDS.toNanos(5);

    private final AtomicLong numbers = new AtomicLong();
    private final BlockingQueue<Push> pushes = new LinkedBlockingQueue<>();
    private final Store store;

    PlainStore(String uri) throws StoreFailure {
        this(uri, Timings.DEFAULTS);
    }

    PlainStore(String uri, Timings timings) throws StoreFailure {
        this(uri, timings, null);
    }

    /** Opens a store with a clock that the server obeys. */
    PlainStore(String uri, Timings timings, @Nullable LongSupplier clock) throws StoreFailure {
        store = RedisStoreProvider.open(
                new StoreConfig(
                        URI.create(uri),
                        StoreFixture.NAMESPACE,
                        Connector.newClientId(),
                        timings,
                        Duration.ofSeconds(10),
                        List.of(),
                        this),
                clock);
    }

    Store store() {
        return store;
    }

    BlockingQueue<Push> pushes() {
        return pushes;
    }

    Acquire command(String name, long secret) {
        CommandNumber number = new CommandNumber(numbers::incrementAndGet);
        return new Acquire(Resource.lock(name), number, 1, LEASE_MICROS, 0, "plain", Acquire.Mode.QUEUE, secret);
    }

    Acquire.Reply acquire(Acquire command) throws StoreFailure {
        return store.acquire(command, TIMEOUT_NANOS);
    }

    Release releaseOf(Acquire command, long token) {
        CommandNumber number = new CommandNumber(numbers::incrementAndGet);
        return new Release(command.resource(), command.attempt().value(), token, number);
    }

    boolean release(Acquire command, long token) throws StoreFailure {
        return store.release(releaseOf(command, token), TIMEOUT_NANOS).released();
    }

    /** Confirms a hold and sets the description of its present holder. */
    Heartbeat.HoldReply confirm(Acquire command, long token, String owner) throws StoreFailure {
        return beat(holdOf(command, token, owner));
    }

    /** Sends a heartbeat for one hold. */
    Heartbeat.HoldReply beat(Heartbeat.Hold hold) throws StoreFailure {
        CommandNumber number = CommandNumber.of(numbers.incrementAndGet());
        return store.heartbeat(new Heartbeat(number, List.of(hold), List.of()), TIMEOUT_NANOS)
                .holds()
                .get(0);
    }

    Heartbeat.Hold holdOf(Acquire command, long token, String owner) {
        long attempt = command.attempt().value();
        return new Heartbeat.Hold(command.resource(), attempt, token, 1, LEASE_MICROS, 0, false, owner);
    }

    /** Writes a note by the first lease of a hold. */
    WriteNote.Reply write(Acquire hold, long token, long number, String text) throws StoreFailure {
        return write(hold, token, note(token, number, text));
    }

    WriteNote.Reply write(Acquire hold, long token, Note note) throws StoreFailure {
        WriteNote command = new WriteNote(hold.resource(), hold.attempt().value(), token, note);
        return store.writeNote(command, TIMEOUT_NANOS);
    }

    /** Returns a note of the first lease of a hold. */
    static Note note(long token, long number, String text) {
        return new Note(Protocol.firstToken(token), number, text.getBytes(StandardCharsets.UTF_8));
    }

    WriteNote.Reply restore(String name, Note note) throws StoreFailure {
        return store.restoreNote(name, note, TIMEOUT_NANOS);
    }

    WriteNote.Reply forget(String name) throws StoreFailure {
        return store.forgetNote(name, TIMEOUT_NANOS);
    }

    NoteView read(String name) throws StoreFailure {
        return store.note(name, TIMEOUT_NANOS);
    }

    Heartbeat.TicketReply poll(Acquire command) throws StoreFailure {
        return pollAll(List.of(command)).get(0);
    }

    List<Heartbeat.TicketReply> pollAll(List<Acquire> commands) throws StoreFailure {
        CommandNumber number = CommandNumber.of(numbers.incrementAndGet());
        List<Heartbeat.Ticket> tickets = commands.stream()
                .map(command -> new Heartbeat.Ticket(
                        command.resource(), command.attempt().value()))
                .toList();
        return store.heartbeat(new Heartbeat(number, List.of(), tickets), TIMEOUT_NANOS)
                .tickets();
    }

    void cancel(Acquire command) throws StoreFailure {
        CommandNumber number = CommandNumber.of(numbers.incrementAndGet());
        store.cancel(new Cancel(command.resource(), command.attempt().value(), number), TIMEOUT_NANOS);
    }

    @Override
    public void onPush(Push push) {
        pushes.add(push);
    }

    @Override
    public void onReconnect() {
        // Waiters in these tests poll by themselves.
    }

    @Override
    public void close() {
        store.close();
    }
}
