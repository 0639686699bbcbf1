package dev.baton.memcached;

import dev.baton.internal.store.Elsewhere;
import dev.baton.internal.store.VirtualThreads;
import dev.baton.spi.Deadline;
import dev.baton.spi.StoreFailure;
import dev.baton.spi.StoreFailure.Effect;
import dev.baton.spi.StoreFailure.Reason;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.util.Objects;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.SynchronousQueue;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;

/**
 * The server, and a few connections to it that all threads share. A thread that finds no place on one waits as long as
 * its call has time. Thread-safe.
 */
final class Server {
    /** One call. It may outlive its caller, so it has a time of its own. */
    interface Work<T> {
        T run(Session session, Deadline time) throws IOException, StoreFailure;
    }

    private static final long THREAD_IDLE_SECONDS = 10;

    private final InetSocketAddress address;
    private final String target;
    private final Hello hello;
    private final ExecutorService threads;
    private final AtomicReference<@Nullable StoreClock> clock = new AtomicReference<>();
    private final Places places;
    private final int connections;

    /** Creates a server without connections. */
    Server(MemcachedAddress address, Hello hello, String clientId) {
        this.address = address.unresolved();
        this.target = address.target();
        this.connections = address.connections();
        this.hello = hello;
        String name = "baton-" + clientId.substring(0, 6) + "-memcached";
        this.threads = new ThreadPoolExecutor(
                0, Integer.MAX_VALUE, THREAD_IDLE_SECONDS, TimeUnit.SECONDS, new SynchronousQueue<>(), work -> {
                    Thread thread = new Thread(work, name);
                    thread.setDaemon(true);
                    return thread;
                });
        this.places = new Places(connections);
    }

    /** Returns this client's estimate of the server's clock. Only valid after the first connection. */
    long nowMicros() {
        return Objects.requireNonNull(clock.get()).micros();
    }

    /** Returns the namespace's identity. Only valid after the first connection. */
    String namespaceId() {
        return hello.namespaceId();
    }

    /** Runs one call. */
    <T> T run(Deadline deadline, Work<T> work) throws StoreFailure {
        return run(deadline, work, () -> {});
    }

    /**
     * Runs one call.
     *
     * @param end runs when the call has ended, which may be after this method has; or if it is not made
     */
    <T> T run(Deadline deadline, Work<T> work, Runnable end) throws StoreFailure {
        return run(false, deadline, work, end);
    }

    /** Runs one call that keeps its connection busy for long, and so has one to itself. */
    <T> T runAlone(Deadline deadline, Work<T> work) throws StoreFailure {
        return run(true, deadline, work, () -> {});
    }

    /** On another thread if this one is virtual, or if the call has little time. */
    private <T> T run(boolean alone, Deadline deadline, Work<T> work, Runnable end) throws StoreFailure {
        Places.Taken taken = places.take(alone, deadline);
        if (taken == null) {
            end.run();
            throw busy();
        }
        Elsewhere.Call<T> call = time -> {
            try {
                Session session = taken.session() != null ? taken.session() : connect(taken.place(), time);
                return perform(taken.place(), session, time, work);
            } finally {
                places.giveBack(taken.place());
                end.run();
            }
        };
        if (!VirtualThreads.isVirtual(Thread.currentThread()) && !Elsewhere.isBrief(deadline)) {
            return call.within(deadline);
        }
        return Elsewhere.call(threads, deadline, "Memcached at " + target, call, () -> {
            places.giveBack(taken.place());
            end.run();
        });
    }

    private StoreFailure busy() {
        return new StoreFailure(
                Effect.NONE,
                Reason.UNREACHABLE,
                "all " + connections + " connections to Memcached at " + target
                        + " were busy for all of the call's time",
                null);
    }

    private Session connect(Places.Place place, Deadline deadline) throws StoreFailure {
        if (places.areClosed()) {
            throw new StoreFailure(Effect.NONE, "the connections to Memcached at " + target + " are closed", null);
        }
        Wire wire;
        try {
            wire = Wire.open(address, deadline);
        } catch (IOException e) {
            throw unreachable("cannot connect to Memcached at " + target + ": " + e.getMessage(), e);
        }
        try {
            Session session = hello.say(wire, deadline);
            clock.compareAndSet(null, StoreClock.startedAt(session.seconds()));
            places.opened(place, session);
            return session;
        } catch (IOException e) {
            wire.close();
            throw unreachable("what answers at " + target + " does not speak as Memcached does: " + e.getMessage(), e);
        } catch (StoreFailure e) {
            wire.close();
            throw e;
        }
    }

    private static StoreFailure unreachable(String message, IOException cause) {
        return new StoreFailure(Effect.NONE, Reason.UNREACHABLE, message, cause);
    }

    private <T> T perform(Places.Place place, Session session, Deadline deadline, Work<T> work) throws StoreFailure {
        try {
            session.refresh(deadline);
            return work.run(session, deadline);
        } catch (ErrorReply e) {
            throw new StoreFailure(Effect.UNKNOWN, "Memcached at " + target + " refused: " + e.getMessage(), e);
        } catch (IOException e) {
            throw new StoreFailure(
                    Effect.UNKNOWN,
                    Reason.UNREACHABLE,
                    "no answer from Memcached at " + target + ": " + e.getMessage(),
                    e);
        } finally {
            if (session.wire().isBroken()) {
                places.broke(place, session);
            }
        }
    }

    /** Closes the connections; those in use close after their calls. */
    void close() {
        places.close();
        threads.shutdown();
    }
}
