package dev.baton.redis;

import static dev.baton.redis.Clients.options;
import static dev.baton.redis.Clients.until;
import static org.assertj.core.api.Assertions.assertThat;

import dev.baton.Baton;
import dev.baton.BatonOptions;
import dev.baton.Lease;
import dev.baton.StoreException;
import dev.baton.servers.RedisSentinels;
import dev.baton.servers.RedisServer;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/**
 * The time without grants when a primary dies, from its death and from the first answer of its successor. Each grant is for
 * a name of its own, so it comes from the server; a lock that was held before must last.
 */
@Tag("serial")
class SentinelOutageNightly {
    private static final int ROUNDS = Integer.getInteger("baton.outages", 20);
    private static final Duration LIMIT = Duration.ofSeconds(40);
    private static final int CLIENTS = 8;

    /** Longer than a switch takes: a client believes in no hold for longer without an answer. */
    private static final Duration GRACE = Duration.ofSeconds(5);

    private static final Duration PER_SWITCH = Duration.ofSeconds(3);

    private final AtomicInteger names = new AtomicInteger();
    private final AtomicInteger grants = new AtomicInteger();
    private final AtomicLong first = new AtomicLong(1);
    private final List<Long> afterDeath = new ArrayList<>();
    private final List<Long> afterPromotion = new ArrayList<>();
    private volatile boolean ended;

    @Test
    void timeWithoutGrants_isTheGracePeriod_andTheSwitch() throws Exception {
        List<Thread> threads = new ArrayList<>();
        try (RedisSentinels set = RedisSentinels.start();
                Clients clients = new Clients()) {
            for (int i = 0; i < CLIENTS; i++) {
                Baton client = clients.connect(set.uri(), patient());
                threads.add(new Thread(() -> work(client)));
            }
            threads.forEach(Thread::start);
            Lease kept = clients.connect(set.uri(), patient()).lock("kept").acquire();
            try {
                for (int round = 0; round < ROUNDS; round++) {
                    round(set);
                    assertThat(kept.isHeld())
                            .as("held through failover %d, or lost because of %s", round, kept.loss())
                            .isTrue();
                }
            } finally {
                end(threads);
            }
        }
        System.out.println(ROUNDS + " failovers, " + CLIENTS + " clients, a grace period of "
                + GRACE.toMillis() + " ms; without grants from the death: " + line(afterDeath)
                + "; from the first answer of the new primary: " + line(afterPromotion));
        assertThat(afterPromotion.stream().mapToLong(each -> each).max().orElseThrow())
                .isLessThan(GRACE.plus(PER_SWITCH).toMillis());
    }

    private static BatonOptions patient() {
        return options()
                .leaseTime(GRACE.multipliedBy(2))
                .grace(GRACE)
                .storeTimeout(Duration.ofSeconds(15))
                .build();
    }

    private void end(List<Thread> threads) throws InterruptedException {
        ended = true;
        for (Thread thread : threads) {
            thread.interrupt();
            thread.join();
        }
    }

    private static String line(List<Long> millis) {
        List<Long> sorted = millis.stream().sorted().toList();
        return "median " + sorted.get(sorted.size() / 2) + " ms, worst " + sorted.get(sorted.size() - 1) + " ms";
    }

    private void round(RedisSentinels set) throws Exception {
        int before = grants.get();
        until("works", () -> grants.get() > before + CLIENTS);
        RedisServer former = set.primary();
        List<RedisServer> others =
                set.members().stream().filter(member -> member != former).toList();
        former.kill();
        long died = System.nanoTime();
        until("a replica is promoted", () -> others.stream().anyMatch(Clients::isPrimary));
        long promoted = System.nanoTime();
        first.set(0);
        until("grants again", () -> first.get() != 0);
        afterDeath.add(Duration.ofNanos(first.get() - died).toMillis());
        afterPromotion.add(Duration.ofNanos(first.get() - promoted).toMillis());
        set.rejoin(former);
        set.awaitComplete(LIMIT);
    }

    private void work(Baton client) {
        while (!ended) {
            try (Lease lease = client.lock("lock " + names.incrementAndGet()).acquire()) {
                first.compareAndSet(0, System.nanoTime());
                grants.addAndGet(lease.isHeld() ? 1 : 0);
                Thread.sleep(20);
            } catch (StoreException failover) {
                // The next try is after it.
            } catch (InterruptedException end) {
                return;
            }
        }
    }
}
