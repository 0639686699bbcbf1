package dev.baton.spring.integration;

import static org.assertj.core.api.Assertions.assertThat;

import dev.baton.Baton;
import dev.baton.BatonOptions;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.FutureTask;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.BooleanSupplier;

/** Clients of one store, each as a process of its own would have it. */
final class Nodes implements AutoCloseable {
    static final Duration LONG = Duration.ofSeconds(20);

    /** The stores of this JVM. */
    enum Kind {
        MEMORY("memory://%s"),
        H2("jdbc:h2:mem:%s;DB_CLOSE_DELAY=-1");

        private final String address;

        Kind(String address) {
            this.address = address;
        }

        /** Returns an empty store. */
        Nodes nodes() {
            return new Nodes(String.format(address, "integration" + NUMBER.incrementAndGet()));
        }
    }

    private static final AtomicInteger NUMBER = new AtomicInteger();

    private final String uri;
    private final Deque<Baton> clients = new ArrayDeque<>();

    private Nodes(String uri) {
        this.uri = uri;
    }

    Baton client() {
        return client(Duration.ofSeconds(30));
    }

    Baton client(Duration leaseTime) {
        // A busy machine takes its time for the classes of a database.
        Baton client = Baton.connect(
                uri,
                BatonOptions.builder()
                        .connectTimeout(LONG)
                        .leaseTime(leaseTime)
                        .build());
        clients.push(client);
        return client;
    }

    BatonLockRegistry registry() {
        return new BatonLockRegistry(client());
    }

    /** Runs an action on a thread of its own, and throws what that throws. */
    static <T> T elsewhere(Callable<T> action) throws Exception {
        return await(start(action));
    }

    static <T> FutureTask<T> start(Callable<T> action) {
        FutureTask<T> task = new FutureTask<>(action);
        Thread thread = new Thread(task, "elsewhere");
        thread.setDaemon(true);
        thread.start();
        return task;
    }

    static <T> T await(FutureTask<T> task) throws Exception {
        try {
            return task.get(LONG.toSeconds(), TimeUnit.SECONDS);
        } catch (ExecutionException e) {
            if (e.getCause() instanceof Exception failure) {
                throw failure;
            }
            throw new AssertionError(e.getCause());
        }
    }

    static void until(String what, BooleanSupplier condition) throws InterruptedException {
        long end = System.nanoTime() + LONG.toNanos();
        while (!condition.getAsBoolean()) {
            assertThat(System.nanoTime()).as(what).isLessThan(end);
            Thread.sleep(2);
        }
    }

    @Override
    public void close() {
        clients.forEach(Baton::close);
    }
}
