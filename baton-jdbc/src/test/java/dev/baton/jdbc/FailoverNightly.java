package dev.baton.jdbc;

import static org.assertj.core.api.Assertions.assertThat;

import dev.baton.Baton;
import dev.baton.BatonOptions;
import dev.baton.Lease;
import dev.baton.StoreException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Supplier;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Many failovers, each of which loses the last commits, while clients compete for a few locks. */
@Tag("serial")
class FailoverNightly {
    private static final int ROUNDS = Integer.getInteger("baton.failovers", 50);
    private static final int CLIENTS = 4;
    private static final int NAMES = 6;
    private static final Duration GRACE = Duration.ofSeconds(6);
    private static final BatonOptions OPTIONS = BatonOptions.builder()
            .grace(GRACE)
            .leaseTime(Duration.ofSeconds(5))
            .storeTimeout(Duration.ofSeconds(30))
            .build();

    static Stream<Supplier<ReplicatedDatabase>> databases() {
        return Stream.of(ReplicatedPostgres::new, ReplicatedMaria::new);
    }

    /** One lock, and those who have it. */
    private static final class Watched {
        final String name;
        final AtomicReference<Optional<Lease>> owner = new AtomicReference<>(Optional.empty());
        final AtomicLong lastToken = new AtomicLong();

        Watched(String name) {
            this.name = name;
        }

        /** Notes a grant; the lease before it must be over, and have a smaller token. */
        void granted(Lease lease, Queue<String> faults) {
            owner.getAndSet(Optional.of(lease))
                    .filter(before -> lease.isHeld() && before.isHeld())
                    .ifPresent(before -> faults.add(name + ": held by " + before + " and by " + lease));
            long before = lastToken.getAndAccumulate(lease.token(), Math::max);
            // A thread that was delayed until its lease was over comes late, and proves nothing.
            if (before >= lease.token() && lease.isHeld()) {
                faults.add(name + ": token " + lease.token() + " after " + before);
            }
        }
    }

    @ParameterizedTest
    @MethodSource("databases")
    void failovers_oneAfterTheOther_leaveNoLockToTwo_andTokensGrow(Supplier<ReplicatedDatabase> start)
            throws Exception {
        List<Watched> locks = Stream.iterate(0, i -> i + 1)
                .limit(NAMES)
                .map(i -> new Watched("lock " + i))
                .toList();
        Queue<String> faults = new ConcurrentLinkedQueue<>();
        AtomicInteger grants = new AtomicInteger();
        ExecutorService threads = Executors.newCachedThreadPool();
        List<Baton> clients = new ArrayList<>();
        try (ReplicatedDatabase database = start.get()) {
            for (int i = 0; i < CLIENTS; i++) {
                Baton client = Baton.connect(database.uri(), OPTIONS);
                clients.add(client);
                locks.forEach(lock -> threads.execute(() -> compete(client, lock, grants, faults)));
            }
            for (int round = 0; round < ROUNDS && faults.isEmpty(); round++) {
                failOver(database, grants);
            }
        } finally {
            threads.shutdownNow();
            clients.forEach(Baton::close);
            assertThat(threads.awaitTermination(30, TimeUnit.SECONDS)).isTrue();
        }
        System.out.println(ROUNDS + " failovers, " + grants + " grants");
        assertThat(faults).isEmpty();
    }

    /** Loses what was committed for a moment, and waits until locks change hands again. */
    private static void failOver(ReplicatedDatabase database, AtomicInteger grants) throws InterruptedException {
        database.stopReplication();
        TimeUnit.MILLISECONDS.sleep(ThreadLocalRandom.current().nextInt(2_000));
        database.failOver();
        database.replicateAgain();
        TimeUnit.NANOSECONDS.sleep(GRACE.toNanos());
        int before = grants.get();
        for (int i = 0; i < 600 && grants.get() - before < NAMES; i++) {
            TimeUnit.MILLISECONDS.sleep(100);
        }
        assertThat(grants.get() - before).as("grants after the grace period").isGreaterThanOrEqualTo(NAMES);
    }

    private static void compete(Baton client, Watched lock, AtomicInteger grants, Queue<String> faults) {
        while (!Thread.currentThread().isInterrupted()) {
            try {
                Optional<Lease> lease = client.lock(lock.name).tryAcquire(Duration.ofSeconds(2));
                if (lease.isPresent()) {
                    grants.incrementAndGet();
                    lock.granted(lease.get(), faults);
                    TimeUnit.MILLISECONDS.sleep(ThreadLocalRandom.current().nextInt(400));
                    lease.get().release();
                }
            } catch (StoreException away) {
                // A failover is on, or its grace period.
            } catch (InterruptedException end) {
                return;
            }
        }
    }
}
