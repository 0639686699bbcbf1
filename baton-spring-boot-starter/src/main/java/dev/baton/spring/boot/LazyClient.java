package dev.baton.spring.boot;

import dev.baton.Admin;
import dev.baton.Baton;
import dev.baton.DistributedLock;
import dev.baton.DistributedReadWriteLock;
import dev.baton.DistributedSemaphore;
import dev.baton.Election;
import dev.baton.Job;
import dev.baton.Lease;
import dev.baton.ReentrantDistributedLock;
import java.lang.reflect.InvocationHandler;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.lang.reflect.Proxy;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.locks.Lock;
import java.util.concurrent.locks.ReadWriteLock;
import org.apache.commons.logging.Log;
import org.apache.commons.logging.LogFactory;
import org.jspecify.annotations.Nullable;

/**
 * A client that connects in the background, so that an application starts while its store is away. Until it is connected, a
 * call has an attempt made at once and waits for its end: as long as connecting may take, and a timed call not longer than its
 * own time if an attempt has failed before. Locks that were made before are made again of the connected client.
 *
 * <p>Thread-safe. Its one thread ends when the client is connected or closed.
 */
final class LazyClient implements InvocationHandler, AutoCloseable {
    /** The interfaces of the objects that the client makes without asking the store. */
    static final List<Class<?>> HANDLES = List.of(
            DistributedLock.class,
            ReentrantDistributedLock.class,
            DistributedReadWriteLock.class,
            DistributedSemaphore.class,
            Job.class,
            Election.class,
            Admin.class,
            ReadWriteLock.class,
            Lock.class);

    private static final Set<String> COUNTS = Set.of("heldLeases", "waitingCallers");
    private static final Log LOG = LogFactory.getLog(LazyClient.class);

    /** Attempts are this far apart, unless a caller needs one. */
    private static final Duration PAUSE = Duration.ofSeconds(1);

    private final Callable<Baton> connecting;
    private final Duration patience;
    private final Semaphore wanted = new Semaphore(0);
    private final Thread thread;
    private volatile CompletableFuture<Baton> attempt = new CompletableFuture<>();
    private volatile @Nullable Baton client;
    private volatile boolean failed;
    private volatile boolean closed;

    /**
     * Begins to connect.
     *
     * @param connecting connects once; takes at most the patience, as a rule
     * @param patience how long callers wait for an attempt
     */
    LazyClient(Callable<Baton> connecting, Duration patience) {
        this.connecting = connecting;
        this.patience = patience;
        this.thread = new Thread(this::connect, "baton-spring-connect");
        this.thread.setDaemon(true);
    }

    /** Returns the client that users see. */
    Baton start() {
        thread.start();
        return (Baton) Proxy.newProxyInstance(Baton.class.getClassLoader(), new Class<?>[] {Baton.class}, this);
    }

    // ---- the thread ----------------------------------------------------------------------------------------------

    private void connect() {
        while (!closed) {
            CompletableFuture<Baton> ending = attempt;
            try {
                Baton connected = connecting.call();
                take(connected);
                ending.complete(connected);
                return;
            } catch (Throwable failure) {
                // Errors, too: callers would otherwise wait for an attempt that never ends.
                attempt = new CompletableFuture<>();
                ending.completeExceptionally(failure);
                if (!failed) {
                    LOG.warn("Baton's store cannot be used yet, and is tried again each second: "
                            + failure.getMessage());
                    failed = true;
                }
            }
            await();
        }
        attempt.completeExceptionally(closedFailure());
    }

    private void take(Baton connected) {
        client = connected;
        if (closed) {
            connected.close();
        }
    }

    private void await() {
        try {
            if (wanted.tryAcquire(PAUSE.toMillis(), TimeUnit.MILLISECONDS)) {
                wanted.drainPermits();
            }
        } catch (InterruptedException closing) {
            Thread.currentThread().interrupt();
            closed = true;
        }
    }

    @Override
    public void close() {
        closed = true;
        wanted.release();
        Baton connected = client;
        if (connected != null) {
            connected.close();
        }
    }

    private static IllegalStateException closedFailure() {
        return new IllegalStateException("Baton is closed: the application context is closing, or was closed");
    }

    // ---- callers -------------------------------------------------------------------------------------------------

    /** Something that the client makes. */
    private interface Making {
        Object of(Baton connected) throws Throwable;
    }

    @Override
    public @Nullable Object invoke(Object proxy, Method method, @Nullable Object @Nullable [] arguments)
            throws Throwable {
        switch (method.getName()) {
            case "close" -> {
                close();
                return null;
            }
            case "isClosed" -> {
                return closed;
            }
            default -> {
                Baton connected = client;
                return connected == null && COUNTS.contains(method.getName())
                        ? 0
                        : call(proxy, method, arguments, baton -> baton, "Baton[lazy]");
            }
        }
    }

    private @Nullable Object call(
            Object proxy, Method method, @Nullable Object @Nullable [] arguments, Making owner, String name)
            throws Throwable {
        if (method.getDeclaringClass() == Object.class) {
            return ofObject(proxy, method, arguments, name);
        }
        Baton connected = client;
        if (connected != null) {
            return on(owner.of(connected), method, arguments);
        }
        Class<?> type = method.getReturnType();
        if (HANDLES.contains(type)) {
            return handle(type, baton -> on(owner.of(baton), method, arguments), method.getName());
        }
        if (type == CompletableFuture.class) {
            return later(owner, method, arguments);
        }
        return on(owner.of(connected(method, arguments)), method, arguments);
    }

    private Baton connected(Method method, @Nullable Object @Nullable [] arguments) throws Exception {
        try {
            return awaitConnected(limit(method, arguments));
        } catch (InterruptedException interrupted) {
            if (List.of(method.getExceptionTypes()).contains(InterruptedException.class)) {
                throw interrupted;
            }
            Thread.currentThread().interrupt();
            throw new IllegalStateException("interrupted while Baton connects", interrupted);
        }
    }

    private Object handle(Class<?> type, Making making, String name) {
        InvocationHandler handler =
                (proxy, method, arguments) -> call(proxy, method, arguments, making, name + "[lazy]");
        return Proxy.newProxyInstance(type.getClassLoader(), new Class<?>[] {type}, handler);
    }

    private static Object ofObject(Object proxy, Method method, @Nullable Object @Nullable [] arguments, String name) {
        return switch (method.getName()) {
            case "equals" -> arguments != null && proxy == arguments[0];
            case "hashCode" -> System.identityHashCode(proxy);
            default -> name;
        };
    }

    @SuppressWarnings("NullAway") // results and arguments may be null
    private static Object on(Object target, Method method, @Nullable Object @Nullable [] arguments) throws Throwable {
        try {
            return method.invoke(target, arguments);
        } catch (InvocationTargetException thrown) {
            throw thrown.getTargetException();
        }
    }

    /**
     * A timed call waits no longer for a connection than it would for the lock, once an attempt has failed. Before that, the
     * store is as good as there: a call that tries once, while the application starts, must not fail for that.
     */
    private Duration limit(Method method, @Nullable Object @Nullable [] arguments) {
        Object first = arguments == null || arguments.length == 0 ? null : arguments[0];
        Duration own = method.getName().startsWith("try") && first instanceof Duration time ? time : patience;
        return failed && own.compareTo(patience) < 0 ? own : patience;
    }

    private CompletableFuture<Baton> wantedAttempt() {
        if (closed) {
            throw closedFailure();
        }
        CompletableFuture<Baton> awaited = attempt;
        wanted.release();
        return awaited;
    }

    private Baton awaitConnected(Duration limit) throws Exception {
        try {
            return wantedAttempt().get(limit.toMillis(), TimeUnit.MILLISECONDS);
        } catch (ExecutionException failed) {
            if (failed.getCause() instanceof RuntimeException why) {
                throw why;
            }
            throw new IllegalStateException("Baton cannot connect", failed.getCause());
        } catch (TimeoutException late) {
            throw new IllegalStateException(
                    "Baton is not connected yet: its store did not answer within " + limit.toMillis()
                            + " ms, and is tried again",
                    late);
        }
    }

    @SuppressWarnings("unchecked")
    private CompletableFuture<Object> later(Making owner, Method method, @Nullable Object @Nullable [] arguments) {
        CompletableFuture<Object> result = new CompletableFuture<>();
        Object unused = wantedAttempt().whenComplete((connected, failure) -> {
            if (failure != null) {
                result.completeExceptionally(failure);
            } else if (!result.isDone()) {
                try {
                    pass((CompletableFuture<Object>) on(owner.of(connected), method, arguments), result);
                } catch (Throwable thrown) {
                    result.completeExceptionally(thrown);
                }
            }
        });
        return result;
    }

    private static void pass(CompletableFuture<Object> from, CompletableFuture<Object> to) {
        Object unused = from.whenComplete((value, thrown) -> {
            if (thrown != null) {
                to.completeExceptionally(thrown);
            } else if (!to.complete(value)) {
                giveBack(value);
            }
        });
        // Also by a time-out of the caller's: what comes later would have no owner.
        Object unusedToo = to.whenComplete((value, thrown) -> {
            if (thrown != null) {
                from.cancel(false);
            }
        });
    }

    private static void giveBack(@Nullable Object value) {
        Object result = value instanceof Optional<?> optional ? optional.orElse(null) : value;
        if (result instanceof Lease lease) {
            Object unused = lease.releaseAsync();
        }
    }
}
