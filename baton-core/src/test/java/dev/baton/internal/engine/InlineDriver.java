package dev.baton.internal.engine;

import dev.baton.internal.memory.MemoryMachine;
import dev.baton.spi.Acquire;
import dev.baton.spi.Cancel;
import dev.baton.spi.Capabilities;
import dev.baton.spi.Heartbeat;
import dev.baton.spi.Release;
import dev.baton.spi.ResourceView;
import dev.baton.spi.Stamp;
import dev.baton.spi.Store;
import dev.baton.spi.StoreFailure;
import dev.baton.spi.Timings;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** Performs every command at once, on the thread that wants it, against a machine of its own; time stands still. */
final class InlineDriver implements Driver, Clock {
    static final Want RENEWED = new Want(30_000_000_000L, false, 0, 0, false);

    volatile long nanos = 1;
    volatile long commands;
    volatile long heartbeats;
    private final MemoryMachine machine = new MemoryMachine(Timings.DEFAULTS, "run");
    private final Store store = new InlineStore();
    final Engine engine = new Engine(
            new EngineSettings("client", Timings.DEFAULTS, () -> true, 10_000_000_000L, 5_000_000_000L, 100),
            this,
            this,
            () -> 0.5,
            null);

    @Override
    public long nanos() {
        return nanos;
    }

    @Override
    public long wallMillis() {
        return 1_767_225_600_000L + nanos / 1_000_000;
    }

    long storeMicros() {
        return 1_767_225_600_000_000L + nanos / 1_000;
    }

    @Override
    public void send(Command command) {
        Outbox out = new Outbox();
        count(command);
        try {
            command.sending();
            command.answered(command.perform(store, 1), out);
        } catch (StoreFailure impossible) {
            throw new AssertionError(impossible);
        }
        out.flush(this);
    }

    @SuppressWarnings("NonAtomicVolatileUpdate") // only tests without threads look at the counts
    private void count(Command command) {
        commands++;
        heartbeats += command.isHeartbeat() ? 1 : 0;
    }

    @Override
    public void wakeAt(long when) {}

    @Override
    public void callback(Runnable userCode) {
        userCode.run();
    }

    /** Other clients' grants go nowhere. */
    private final class InlineStore implements Store {
        @Override
        public Capabilities capabilities() {
            throw new UnsupportedOperationException();
        }

        @Override
        public synchronized Acquire.Reply acquire(Acquire command, long timeoutNanos) {
            return machine.acquire("client", command, storeMicros(), (client, push) -> {});
        }

        @Override
        public synchronized Heartbeat.Reply heartbeat(Heartbeat command, long timeoutNanos) {
            return machine.heartbeat("client", command, storeMicros(), (client, push) -> {});
        }

        @Override
        public synchronized Release.Reply release(Release command, long timeoutNanos) {
            return machine.release("client", command, storeMicros(), (client, push) -> {});
        }

        @Override
        public synchronized Stamp cancel(Cancel command, long timeoutNanos) {
            return machine.cancel("client", command, storeMicros(), (client, push) -> {});
        }

        @Override
        public Map<String, String> facts(long timeoutNanos) {
            return Map.of("version", "inline");
        }

        @Override
        public Optional<ResourceView> inspect(String name, long timeoutNanos) {
            return Optional.empty();
        }

        @Override
        public List<ResourceView> list(String prefix, int limit, long timeoutNanos) {
            return List.of();
        }

        @Override
        public boolean forceRelease(String name, long token, boolean now, long timeoutNanos) {
            return false;
        }

        @Override
        public void close() {}
    }
}
