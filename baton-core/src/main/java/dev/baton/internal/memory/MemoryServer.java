package dev.baton.internal.memory;

import dev.baton.spi.Acquire;
import dev.baton.spi.Agreement;
import dev.baton.spi.Cancel;
import dev.baton.spi.Capabilities;
import dev.baton.spi.Grace;
import dev.baton.spi.Heartbeat;
import dev.baton.spi.Note;
import dev.baton.spi.NoteView;
import dev.baton.spi.Push;
import dev.baton.spi.Release;
import dev.baton.spi.Resource;
import dev.baton.spi.ResourceView;
import dev.baton.spi.Stamp;
import dev.baton.spi.Store;
import dev.baton.spi.StoreListener;
import dev.baton.spi.Timings;
import dev.baton.spi.WriteNote;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.BiConsumer;
import java.util.function.LongSupplier;

/**
 * The reference machine behind a lock, with a clock: the embedded store.
 *
 * <p>Thread-safe. Pushes are delivered after the lock is released, on the thread whose command caused them, so a
 * listener may call any store.
 */
public final class MemoryServer {
    /** The capabilities of the memory store. */
    public static final Capabilities CAPABILITIES = Capabilities.builder("memory", Capabilities.Reach.JVM)
            .shares(true)
            .notes(true)
            .queue(true)
            .push(true)
            .idempotentAttempts(true)
            .reclaim(true)
            .tokens(Capabilities.TokenOrder.HYBRID)
            .build();

    private final ReentrantLock lock = new ReentrantLock();
    private final Map<String, StoreListener> listeners = new ConcurrentHashMap<>();
    private final MemoryMachine machine;
    private final LongSupplier clockMicros;
    private final Agreement agreement;

    /**
     * Creates a server.
     *
     * @param timings the namespace's times
     * @param runId identity of this server
     * @param clockMicros its clock
     */
    public MemoryServer(Timings timings, String runId, LongSupplier clockMicros) {
        this.agreement = Agreement.of(timings);
        this.machine = new MemoryMachine(timings, runId);
        this.clockMicros = clockMicros;
    }

    /** Returns the settings of all its clients. */
    Agreement agreement() {
        return agreement;
    }

    /** Connects a client. */
    public Store connect(String clientId, StoreListener listener) {
        listeners.put(clientId, listener);
        return new Session(clientId);
    }

    /** Returns how many names have any state. */
    public int size() {
        lock.lock();
        try {
            return machine.size(clockMicros.getAsLong());
        } finally {
            lock.unlock();
        }
    }

    /** Goes on as another server process, in a grace period: what a failover looks like to clients. */
    void restart(String runId, long graceMicros) {
        step((now, pushes) -> {
            machine.restartAs(runId, now + graceMicros);
            return machine;
        });
    }

    /** One command on the machine, at one moment. */
    private interface Step<T> {
        T run(long now, BiConsumer<String, Push> pushes);
    }

    private <T> T step(Step<T> step) {
        List<Runnable> deliveries = new ArrayList<>(0);
        T result;
        lock.lock();
        try {
            result = step.run(clockMicros.getAsLong(), (client, push) -> {
                StoreListener listener = listeners.get(client);
                if (listener != null) {
                    deliveries.add(() -> listener.onPush(push));
                }
            });
        } finally {
            lock.unlock();
        }
        deliveries.forEach(Runnable::run);
        return result;
    }

    /** One client's connection. */
    private final class Session implements Store {
        private final String client;

        Session(String client) {
            this.client = client;
        }

        @Override
        public Capabilities capabilities() {
            return CAPABILITIES;
        }

        @Override
        public String namespaceId() {
            return agreement.namespaceId();
        }

        @Override
        public Map<String, String> facts(long timeoutNanos) {
            return Map.of("version", "Java " + Runtime.version());
        }

        @Override
        public Optional<Grace> grace(long timeoutNanos) {
            return step((now, pushes) -> machine.grace(now));
        }

        @Override
        public Acquire.Reply acquire(Acquire command, long timeoutNanos) {
            return step((now, pushes) -> machine.acquire(client, command, now, pushes));
        }

        @Override
        public Heartbeat.Reply heartbeat(Heartbeat command, long timeoutNanos) {
            return step((now, pushes) -> machine.heartbeat(client, command, now, pushes));
        }

        @Override
        public Release.Reply release(Release command, long timeoutNanos) {
            return step((now, pushes) -> machine.release(client, command, now, pushes));
        }

        @Override
        public Stamp cancel(Cancel command, long timeoutNanos) {
            return step((now, pushes) -> machine.cancel(client, command, now, pushes));
        }

        @Override
        public Optional<ResourceView> inspect(String name, long timeoutNanos) {
            return step((now, pushes) -> machine.inspect(name, now));
        }

        @Override
        public List<ResourceView> list(String prefix, String after, int limit, long timeoutNanos) {
            return step((now, pushes) -> machine.list(prefix, after, limit, now));
        }

        @Override
        public boolean forceRelease(String name, long token, boolean immediately, long timeoutNanos) {
            return step((now, pushes) -> machine.forceRelease(name, token, immediately, now, pushes));
        }

        @Override
        public Resource withhold(Resource semaphore, int weight, long timeoutNanos) {
            return step((now, pushes) -> machine.withhold(semaphore, weight, now, pushes));
        }

        @Override
        public NoteView note(String name, long timeoutNanos) {
            return step((now, pushes) -> machine.note(name, now));
        }

        @Override
        public WriteNote.Reply writeNote(WriteNote command, long timeoutNanos) {
            return step((now, pushes) -> machine.writeNote(client, command, now));
        }

        @Override
        public WriteNote.Reply restoreNote(String name, Note note, long timeoutNanos) {
            return step((now, pushes) -> machine.restoreNote(name, note, now));
        }

        @Override
        public WriteNote.Reply forgetNote(String name, long timeoutNanos) {
            return step((now, pushes) -> machine.forgetNote(name, now));
        }

        @Override
        public void close() {
            listeners.remove(client);
        }
    }
}
