package dev.baton.cli.run;

import static dev.baton.cli.TestClients.PATIENT;
import static org.assertj.core.api.Assertions.assertThat;

import dev.baton.Baton;
import dev.baton.BatonOptions;
import dev.baton.DistributedLock;
import dev.baton.Lease;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Locks on two different stores that are held together. */
class GroupsAcrossStoresTest {
    private static final int ROUNDS = 1_000;
    private static final Duration PATIENCE = Duration.ofSeconds(30);
    private static final BatonOptions OPTIONS =
            PATIENT.toBuilder().namespace("across-stores").build();

    @TempDir
    private Path directory;

    /** One process's clients. */
    private record Caller(Baton redis, Baton postgresql) implements AutoCloseable {
        DistributedLock both(boolean redisFirst) {
            List<DistributedLock> locks = new ArrayList<>(List.of(redis.lock("job"), postgresql.lock("job")));
            if (!redisFirst) {
                Collections.reverse(locks);
            }
            return DistributedLock.allOf(locks.toArray(DistributedLock[]::new));
        }

        @Override
        public void close() {
            redis.close();
            postgresql.close();
        }
    }

    private Caller caller(String host) throws Exception {
        return new Caller(client(Place.REDIS, host), client(Place.POSTGRESQL, host));
    }

    private Baton client(Place place, String host) throws Exception {
        return Baton.connect(place.uri(directory).replaceFirst("127\\.0\\.0\\.1|localhost", host), OPTIONS);
    }

    @Test
    void lease_ofTwoStores_holdsBoth_orNone() throws Exception {
        try (Caller own = caller("127.0.0.1");
                Caller other = caller("localhost")) {
            Lease lease = own.both(true).acquire();
            assertThat(other.redis().lock("job").tryAcquire()).isEmpty();
            assertThat(other.postgresql().lock("job").tryAcquire()).isEmpty();
            assertThat(other.redis().lock("job").tokenIn(lease)).isPositive();
            assertThat(other.postgresql().lock("job").tokenIn(lease)).isPositive();
            lease.release();
            for (Baton busy : List.of(other.redis(), other.postgresql())) {
                Lease held = busy.lock("job").acquire();
                assertThat(own.both(false).tryAcquire(Duration.ofMillis(50))).isEmpty();
                held.release();
            }
            Lease again = other.both(false).tryAcquire(PATIENCE).orElseThrow();
            own.redis().close();
            assertThat(again.isHeld()).isTrue();
            again.release();
        }
    }

    @Test
    void callers_whoAskInOppositeOrders_underDifferentAddresses_neverWaitForEachOther() throws Exception {
        AtomicInteger inside = new AtomicInteger();
        ExecutorService threads = Executors.newFixedThreadPool(2);
        try (Caller one = caller("127.0.0.1");
                Caller other = caller("localhost")) {
            List<Future<Integer>> both = List.of(
                    threads.submit(rounds(one.both(true), inside)), threads.submit(rounds(other.both(false), inside)));
            for (Future<Integer> each : both) {
                assertThat(each.get(5, TimeUnit.MINUTES)).isEqualTo(ROUNDS);
            }
        } finally {
            threads.shutdownNow();
        }
    }

    private static Callable<Integer> rounds(DistributedLock both, AtomicInteger inside) {
        return () -> {
            for (int round = 0; round < ROUNDS; round++) {
                Lease lease = both.tryAcquire(PATIENCE).orElseThrow();
                assertThat(inside.incrementAndGet()).isEqualTo(1);
                inside.decrementAndGet();
                lease.release();
            }
            return ROUNDS;
        };
    }
}
