package dev.baton.redis;

import static dev.baton.redis.Clients.options;
import static dev.baton.redis.Clients.since;
import static dev.baton.redis.Clients.until;
import static org.assertj.core.api.Assertions.assertThat;

import dev.baton.Baton;
import dev.baton.Lease;
import dev.baton.StoreException;
import dev.baton.servers.RedisSentinels;
import dev.baton.servers.RedisServer;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/**
 * An old primary that lives on: it stands still during a failover and comes back, while some clients know it alone, as
 * if they were cut off from the sentinels, and others follow the sentinels.
 */
@Tag("serial")
class RedisReplicatedNightly {
    private static final int ROUNDS = Integer.getInteger("baton.replicated.rounds", 6);
    private static final Duration STOPPED = Duration.ofSeconds(10);
    private static final Duration LIMIT = Duration.ofSeconds(40);
    private static final int OF_EACH = 3;

    private final AtomicReference<Lease> last = new AtomicReference<>();
    private final Fence fence = new Fence();
    private final AtomicInteger doubles = new AtomicInteger();
    private final AtomicInteger equalTokens = new AtomicInteger();
    private final AtomicInteger doubleRounds = new AtomicInteger();
    private final AtomicInteger grants = new AtomicInteger();
    private volatile boolean ended;

    @Test
    void oldPrimaryThatLivesOn_grantsNothingBesideTheNewOne() throws Exception {
        rounds(
                RedisSentinels.builder().config("min-replicas-to-write", "1").config("min-replicas-max-lag", "2"),
                "?replicated=1");
        assertThat(doubles).hasValue(0);
    }

    /** What remains without confirmed writes. If this one fails, the other test is blind. */
    @Test
    void oldPrimaryThatLivesOn_alone_grantsBesideTheNewOne_andTokensTellTheTwoApart() throws Exception {
        rounds(RedisSentinels.builder(), "");
        assertThat(doubles).hasPositiveValue();
        assertThat(fence.refused).hasPositiveValue();
    }

    /** A resource that refuses smaller tokens than it has seen. */
    private static final class Fence {
        private final AtomicLong largest = new AtomicLong();
        private final AtomicInteger refused = new AtomicInteger();

        void write(long token) {
            if (largest.getAndAccumulate(token, Math::max) > token) {
                refused.incrementAndGet();
            }
        }
    }

    private void rounds(RedisSentinels.Builder servers, String options) throws Exception {
        try (RedisSentinels set = servers.start()) {
            for (int round = 0; round < ROUNDS; round++) {
                int before = doubles.get();
                try (Clients clients = new Clients()) {
                    round(set, clients, options, round);
                }
                doubleRounds.addAndGet(doubles.get() > before ? 1 : 0);
            }
        }
        System.out.println("old primary that lives on, clients with '" + options + "': " + ROUNDS + " rounds, " + grants
                + " grants, two believers " + doubles + " times in " + doubleRounds + " rounds, " + fence.refused
                + " stale writes refused by their tokens, equal tokens " + equalTokens);
    }

    private void round(RedisSentinels set, Clients clients, String options, int round) throws Exception {
        RedisServer old = set.primary();
        ended = false;
        List<Thread> threads = new ArrayList<>();
        for (int i = 0; i < OF_EACH; i++) {
            threads.add(worker(clients, old.uri() + options));
            threads.add(worker(clients, set.uri() + options));
        }
        int before = grants.get();
        until("works", () -> grants.get() > before);
        long start = System.nanoTime();
        old.pause();
        set.awaitPrimaryOtherThan(old, LIMIT);
        until("stopped for long enough", () -> since(start).compareTo(STOPPED) > 0);
        int during = grants.get();
        old.resume();
        until("works again", () -> grants.get() > during);
        set.awaitComplete(LIMIT);
        ended = true;
        for (Thread thread : threads) {
            thread.interrupt();
            thread.join();
        }
        System.out.println("round " + round + ": " + (during - before) + " grants until the old primary came back, "
                + (grants.get() - during) + " afterwards");
    }

    private Thread worker(Clients clients, String uri) {
        Baton client = clients.connect(uri, options().build());
        Thread thread = new Thread(() -> {
            while (!ended) {
                work(client);
            }
        });
        thread.start();
        return thread;
    }

    private void work(Baton client) {
        try (Lease lease = client.lock("one").acquire()) {
            grants.incrementAndGet();
            Lease before = last.getAndSet(lease);
            fence.write(lease.token());
            // In this order: the later hold is believed all the time, so both were if it still is.
            if (before != null && before.isHeld() && lease.isHeld()) {
                doubles.incrementAndGet();
                equalTokens.addAndGet(before.token() == lease.token() ? 1 : 0);
            }
            Thread.sleep(1);
            fence.write(lease.token());
        } catch (StoreException failover) {
            return;
        } catch (InterruptedException e) {
            ended = true;
        }
    }
}
