package dev.baton.memcached;

import dev.baton.internal.store.Elsewhere;
import dev.baton.internal.store.VirtualThreads;
import dev.baton.spi.Deadline;
import dev.baton.spi.StoreFailure;
import dev.baton.spi.StoreFailure.Effect;
import dev.baton.spi.StoreFailure.Reason;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.BlockingDeque;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.LinkedBlockingDeque;
import java.util.concurrent.SynchronousQueue;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;

/**
 * The server, and a few connections to it that all threads share. Each call has one for itself, and the one used last
 * is used next; a thread that finds none free waits as long as its call has time. A connection whose call failed is
 * closed. Thread-safe.
 */
final class Server {
    /** One call. It may outlive its caller, so it has a time of its own. */
    interface Work<T> {
        T run(Session session, Deadline time) throws IOException, StoreFailure;
    }

    /** A slot for a connection, which is opened on first use. */
    private static final class Place {
        private @Nullable Session session;

        void close() {
            if (session != null) {
                session.wire().close();
                session = null;
            }
        }
    }

    private static final long THREAD_IDLE_SECONDS = 10;

    private final InetSocketAddress address;
    private final String target;
    private final Hello hello;
    private final ExecutorService threads;
    private final AtomicReference<@Nullable StoreClock> clock = new AtomicReference<>();
    private final BlockingDeque<Place> free = new LinkedBlockingDeque<>();
    private final int connections;
    private volatile boolean closed;

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
        for (int i = 0; i < connections; i++) {
            free.add(new Place());
        }
    }

    /** Returns this client's estimate of the server's clock. Only valid after the first connection. */
    long nowMicros() {
        return Objects.requireNonNull(clock.get()).micros();
    }

    /** Returns the namespace's identity. Only valid after the first connection. */
    String namespaceId() {
        return hello.namespaceId();
    }

    /** Runs one call in its turn. */
    <T> T run(Deadline deadline, Work<T> work) throws StoreFailure {
        return run(deadline, work, () -> {});
    }

    /**
     * Runs one call in its turn; on another thread if this one is virtual, or if the call has little time.
     *
     * @param end runs when the call has ended, which may be after this method has; or if it is not made
     */
    <T> T run(Deadline deadline, Work<T> work, Runnable end) throws StoreFailure {
        Place place = take(deadline, end);
        Elsewhere.Call<T> call = time -> {
            try {
                Session session = place.session != null ? place.session : connect(place, time);
                return perform(place, session, time, work);
            } finally {
                giveBack(place);
                end.run();
            }
        };
        if (!VirtualThreads.isVirtual(Thread.currentThread()) && !Elsewhere.isBrief(deadline)) {
            return call.within(deadline);
        }
        return Elsewhere.call(threads, deadline, "Memcached at " + target, call, () -> {
            giveBack(place);
            end.run();
        });
    }

    private void giveBack(Place place) {
        free.addFirst(place);
        if (closed) {
            closeFree();
        }
    }

    private Session connect(Place place, Deadline deadline) throws StoreFailure {
        if (closed) {
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
            place.session = session;
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

    private <T> T perform(Place place, Session session, Deadline deadline, Work<T> work) throws StoreFailure {
        boolean whole = false;
        try {
            session.refresh(deadline);
            T result = work.run(session, deadline);
            whole = true;
            return result;
        } catch (StoreFailure answered) {
            whole = true;
            throw answered;
        } catch (ErrorReply e) {
            throw new StoreFailure(Effect.UNKNOWN, "Memcached at " + target + " refused: " + e.getMessage(), e);
        } catch (IOException e) {
            throw new StoreFailure(
                    Effect.UNKNOWN,
                    Reason.UNREACHABLE,
                    "no answer from Memcached at " + target + ": " + e.getMessage(),
                    e);
        } finally {
            if (!whole) {
                place.close();
                // The other connections lead to the same process, and may be broken as well.
                closeFree();
            }
        }
    }

    /** Not interruptible: the engine undoes an interrupted caller's request, and needs an answer to do so. */
    private Place take(Deadline deadline, Runnable ifNone) throws StoreFailure {
        boolean interrupted = false;
        try {
            while (true) {
                try {
                    Place place = free.pollFirst(deadline.leftNanos(), TimeUnit.NANOSECONDS);
                    if (place != null) {
                        return place;
                    }
                    ifNone.run();
                    throw new StoreFailure(
                            Effect.NONE,
                            Reason.UNREACHABLE,
                            "all " + connections + " connections to Memcached at " + target
                                    + " were busy for all of the call's time",
                            null);
                } catch (InterruptedException e) {
                    interrupted = true;
                }
            }
        } finally {
            if (interrupted) {
                Thread.currentThread().interrupt();
            }
        }
    }

    /** Closes the connections; those in use close after their calls. */
    void close() {
        closed = true;
        closeFree();
        threads.shutdown();
    }

    private void closeFree() {
        List<Place> unused = new ArrayList<>();
        free.drainTo(unused);
        unused.forEach(Place::close);
        free.addAll(unused);
    }
}
