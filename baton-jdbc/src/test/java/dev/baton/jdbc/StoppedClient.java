package dev.baton.jdbc;

import static org.assertj.core.api.Assertions.assertThat;

import dev.baton.spi.Acquire;
import dev.baton.spi.Deadline;
import dev.baton.spi.Resource;
import dev.baton.spi.StoreFailure;
import dev.baton.spi.Timings;
import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;

/** A client that stands still between two statements of a transaction, without a word to the server. */
final class StoppedClient {
    private static final Resource NAME =
            new Resource("stopped", Resource.semaphore("stopped", 2).kind(), 2);
    /** Otherwise, the stopped client would keep the row for thirty seconds. */
    private static final Duration SOON = Duration.ofSeconds(15);

    private final String uri;
    private final CountDownLatch stopped = new CountDownLatch(1);
    private final CountDownLatch goesOn = new CountDownLatch(1);
    private final AtomicBoolean first = new AtomicBoolean(true);

    StoppedClient(String uri) {
        this.uri = uri;
    }

    /** Stands still behind the statement that locks the name's row, once. */
    private void standStill(CountingConnection connections) {
        connections.before(sql -> {
            int count = connections.executed().size();
            boolean locked = count > 1 && connections.executed().get(count - 2).contains("FOR UPDATE");
            if (locked && first.getAndSet(false)) {
                stopped.countDown();
                await(goesOn);
            }
        });
    }

    private static void await(CountDownLatch latch) {
        try {
            assertThat(latch.await(30, TimeUnit.SECONDS)).isTrue();
        } catch (InterruptedException e) {
            throw new AssertionError(e);
        }
    }

    /** Shows that the server ends the transaction, so that another client gets the name, and then the first one. */
    void isEndedByTheServer() throws Exception {
        CountingConnection connections = new CountingConnection();
        ExecutorService thread = Executors.newSingleThreadExecutor();
        try (ServerFixture emptied = new ServerFixture(uri);
                JdbcClient still = new JdbcClient(new Opening(
                                JdbcClient.config(emptied.uri(), "still", Timings.DEFAULTS), connections::around, null)
                        .open());
                JdbcClient other = new JdbcClient(new JdbcStoreProvider(), emptied.uri(), "other")) {
            other.release(other.hold(NAME));
            standStill(connections);
            Future<?> stands = thread.submit(() -> still.hold(NAME));
            await(stopped);
            Deadline start = Deadline.in(0);
            Acquire.Reply reply = acquireInTime(other);
            Duration took = Duration.ofNanos(-start.leftNanos());
            System.out.println(uri + ": granted " + took + " after a client stood still in a transaction");
            assertThat(reply).isInstanceOf(Acquire.Granted.class);
            goesOn.countDown();
            assertThat(stands).failsWithin(Duration.ofSeconds(20));
            still.hold(NAME);
        } finally {
            goesOn.countDown();
            thread.shutdownNow();
        }
    }

    private static Acquire.Reply acquireInTime(JdbcClient client) throws StoreFailure {
        Deadline soon = Deadline.in(SOON.toNanos());
        while (true) {
            try {
                return client.acquire(NAME, client.next(), Acquire.Mode.TRY);
            } catch (StoreFailure locked) {
                assertThat(locked.effect()).isEqualTo(StoreFailure.Effect.NONE);
                if (soon.leftNanos() <= 0) {
                    throw locked;
                }
            }
        }
    }
}
