package dev.baton.test;

import dev.baton.Baton;
import dev.baton.BatonOptions;
import dev.baton.internal.client.BatonClient;
import dev.baton.internal.client.Connector;
import dev.baton.internal.engine.Clock;
import dev.baton.internal.memory.MemoryServer;
import dev.baton.spi.Push;
import dev.baton.spi.ResourceView;
import dev.baton.spi.Store;
import dev.baton.spi.StoreFailure;
import dev.baton.spi.StoreListener;
import dev.baton.spi.Timings;
import java.lang.reflect.InvocationHandler;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Proxy;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicLong;

/**
 * A store for tests of code that uses locks: in memory, with a clock that stands still until the test moves it. The
 * store and its clients use this clock, so leases are renewed, end and time out when the test says so. Thread-safe.
 *
 * <pre>{@code
 * try (TestStore store = TestStore.create()) {
 *     Baton baton = store.connect();
 *     Lease lease = baton.lock("x").acquire();
 *     store.advance(Duration.ofHours(1));   // renewed all the while
 *     store.expire("x");                    // as if the holder had been cut off: lease.isHeld() is false
 * }
 * }</pre>
 *
 * <p>{@link TestStoreExtension} gives it to tests of JUnit as a parameter.
 *
 * @since 0.1
 */
public final class TestStore implements AutoCloseable {
    /** The step of {@link #advance}: every lease is long enough to be renewed between two steps. */
    private static final long STEP_NANOS = 20_000_000;

    private static final long START_MILLIS = 1_767_225_600_000L;
    private static final long ANSWER_NANOS = 1_000_000_000;

    private final AtomicLong nanos = new AtomicLong(1);
    private final Clock clock = new HandMovedClock();
    private final List<BatonClient> clients = new CopyOnWriteArrayList<>();
    private final MemoryServer server =
            new MemoryServer(Timings.DEFAULTS, "test", () -> START_MILLIS * 1_000 + nanos.get() / 1_000);

    private volatile boolean silent;

    private TestStore() {}

    /** Returns an empty store whose clock stands at the beginning of 2026. */
    public static TestStore create() {
        return new TestStore();
    }

    /** Connects a client with default options. Closing the store closes it. */
    public Baton connect() {
        return connect(BatonOptions.defaults());
    }

    /** Connects a client. Closing the store closes it. */
    public Baton connect(BatonOptions options) {
        String clientId = Connector.newClientId();
        try {
            BatonClient client = new BatonClient(
                    clientId,
                    options,
                    Timings.DEFAULTS,
                    clock,
                    listener -> silenceable(server.connect(clientId, listener)));
            clients.add(client);
            return client;
        } catch (StoreFailure impossible) {
            throw new IllegalStateException(impossible);
        }
    }

    /**
     * Silences the store: until the opposite is said, no command of a client reaches it, as if the network were cut. Clients
     * repeat their commands, callers get a {@link dev.baton.StoreException} when their time is over, and holders lose their
     * leases ({@link dev.baton.LossCause#STORE_UNREACHABLE} or EXPIRED) when they end; {@link #advance} lets that time pass.
     *
     * @param silent whether the store is silent from now on
     */
    public void setSilent(boolean silent) {
        this.silent = silent;
        if (!silent) {
            clients.forEach(BatonClient::askAgain);
        }
    }

    private Store silenceable(Store open) {
        InvocationHandler handler = (proxy, method, arguments) -> {
            // Only commands can fail to be answered.
            if (silent && List.of(method.getExceptionTypes()).contains(StoreFailure.class)) {
                throw new StoreFailure(StoreFailure.Effect.UNKNOWN, "the test store is silent", null);
            }
            try {
                return method.invoke(open, arguments);
            } catch (InvocationTargetException e) {
                throw e.getCause();
            }
        };
        return (Store) Proxy.newProxyInstance(Store.class.getClassLoader(), new Class<?>[] {Store.class}, handler);
    }

    /**
     * Lets time pass, in small steps: clients renew and time out on the way. When this returns, the store has done
     * everything that was due; callbacks may still be running.
     *
     * @param time how much time passes
     */
    public void advance(Duration time) {
        long left = time.toNanos();
        if (left < 0) {
            throw new IllegalArgumentException("time does not run backwards here, not even by " + time);
        }
        while (left > 0) {
            long step = Math.min(left, STEP_NANOS);
            nanos.addAndGet(step);
            left -= step;
            clients.forEach(BatonClient::clockMoved);
        }
    }

    /**
     * Ends the holds of a name as if their leases had run out, and tells their holders. The next waiter in the queue
     * gets the lock.
     *
     * @param name the lock's name
     * @return whether a client held it
     */
    public boolean expire(String name) {
        boolean found = false;
        clients.forEach(client -> client.expire(name));
        try (Store store = server.connect("expire", new DeafListener())) {
            for (ResourceView.Hold hold :
                    store.inspect(name, ANSWER_NANOS).map(ResourceView::holds).orElse(List.of())) {
                found |= store.forceRelease(name, hold.token(), true, ANSWER_NANOS);
            }
        } catch (StoreFailure impossible) {
            throw new IllegalStateException(impossible);
        }
        clients.forEach(BatonClient::askAgain);
        return found;
    }

    /** Closes all clients. */
    @Override
    public void close() {
        clients.forEach(BatonClient::close);
    }

    private final class HandMovedClock implements Clock {
        @Override
        public long nanos() {
            return nanos.get();
        }

        @Override
        public long wallMillis() {
            return START_MILLIS + nanos.get() / 1_000_000;
        }

        @Override
        public boolean isMovedByHand() {
            return true;
        }
    }

    /** Ignores pushes: this client only expires holds, so the store never grants it anything. */
    private static final class DeafListener implements StoreListener {
        @Override
        public void onPush(Push push) {}

        @Override
        public void onReconnect() {}
    }
}
