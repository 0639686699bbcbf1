package dev.baton.etcd;

import static org.assertj.core.api.Assertions.assertThat;

import dev.baton.Baton;
import dev.baton.Lease;
import dev.baton.LossCause;
import dev.baton.StoreException;
import dev.baton.tck.history.BeliefChecker;
import dev.baton.tck.history.FencedMutexChecker;
import dev.baton.tck.history.HoldRecord;
import dev.baton.tck.server.EtcdServer;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

/** Three members, of which the one that leads is killed or stopped under load. */
class EtcdClusterTest {
    private static final int CLIENTS = 4;
    private static final int THREADS = 2;
    private static final Duration PATIENCE = Duration.ofSeconds(40);

    private final List<HoldRecord> history = new CopyOnWriteArrayList<>();
    private final AtomicInteger failures = new AtomicInteger();
    private final CountDownLatch end = new CountDownLatch(1);

    private interface Trouble {
        void make(int leader) throws Exception;
    }

    private void underLoad(EtcdServer cluster, Trouble trouble) throws Exception {
        List<Baton> batons = new ArrayList<>();
        ExecutorService threads = Executors.newCachedThreadPool();
        try {
            List<Future<?>> running = new ArrayList<>();
            for (int i = 0; i < CLIENTS; i++) {
                Baton baton = Baton.connect(cluster.uri() + "/load?ttl=3s&shortLeases=true");
                batons.add(baton);
                for (int j = 0; j < THREADS; j++) {
                    String holder = "client " + i + " thread " + j;
                    running.add(threads.submit(() -> fight(holder, baton)));
                }
            }
            awaitGrowth(20);
            trouble.make(cluster.leader());
            awaitGrowth(100);
            end.countDown();
            for (Future<?> each : running) {
                each.get(PATIENCE.toSeconds(), TimeUnit.SECONDS);
            }
        } finally {
            end.countDown();
            threads.shutdownNow();
            batons.forEach(Baton::close);
        }
        System.out.println(history.size() + " holds, " + failures + " failures");
        assertThat(FencedMutexChecker.check(history)).isEmpty();
        assertThat(BeliefChecker.check(history)).isEmpty();
    }

    /** Nothing but leases and StoreExceptions. */
    private Void fight(String holder, Baton baton) throws Exception {
        while (end.getCount() > 0) {
            long asked = System.nanoTime();
            try {
                Lease lease = baton.lock("hot").tryAcquire(PATIENCE).orElseThrow();
                hold(holder, lease, asked);
            } catch (StoreException away) {
                failures.incrementAndGet();
            }
        }
        return null;
    }

    private void hold(String holder, Lease lease, long asked) throws InterruptedException {
        long got = System.nanoTime();
        AtomicReference<Long> lost = new AtomicReference<>();
        lease.onLost((LossCause cause) -> lost.compareAndSet(null, System.nanoTime()));
        TimeUnit.MILLISECONDS.sleep(1);
        boolean held = lease.isHeld();
        long letGo = System.nanoTime();
        boolean released = false;
        try {
            lease.close();
            released = held && lost.get() == null;
        } finally {
            Long lostAt = lost.get();
            // What a lease that was lost was believed in until is known to its callback.
            long until = held ? letGo : Math.max(got, lostAt == null ? got : Math.min(lostAt, letGo));
            history.add(new HoldRecord(
                    holder, lease.token(), asked, got, until, released ? System.nanoTime() : HoldRecord.NEVER));
        }
    }

    private void awaitGrowth(int more) throws InterruptedException {
        int before = history.size();
        long limit = System.nanoTime() + PATIENCE.toNanos();
        while (history.size() < before + more) {
            assertThat(System.nanoTime())
                    .as("time to see %d holds more than %d, with %s failures", more, before, failures)
                    .isLessThan(limit);
            TimeUnit.MILLISECONDS.sleep(5);
        }
    }

    @Test
    @DisplayName("P22: leader_killedUnderLoad_isReplaced_andTokensGrow")
    void leader_killedUnderLoad_isReplaced_andTokensGrow() throws Exception {
        try (EtcdServer cluster = EtcdServer.startCluster(3)) {
            underLoad(cluster, leader -> {
                cluster.kill(leader);
                long killed = System.nanoTime();
                awaitGrowth(1);
                System.out.println("well again after " + (System.nanoTime() - killed) / 1_000_000 + " ms");
            });
        }
    }

    @Test
    @DisplayName("P22: leader_stoppedUnderLoad_andDeposed_isBelievedInByNobody")
    void leader_stoppedUnderLoad_andDeposed_isBelievedInByNobody() throws Exception {
        try (EtcdServer cluster = EtcdServer.startCluster(3)) {
            underLoad(cluster, leader -> {
                cluster.pause(leader);
                TimeUnit.SECONDS.sleep(4);
                int before = history.size();
                cluster.resume(leader);
                assertThat(before).as("holds while the leader was stopped").isGreaterThan(20);
            });
        }
    }
}
