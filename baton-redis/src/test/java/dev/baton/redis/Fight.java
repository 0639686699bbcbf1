package dev.baton.redis;

import static org.assertj.core.api.Assertions.assertThat;

import dev.baton.Baton;
import dev.baton.DistributedLock;
import dev.baton.Lease;
import dev.baton.StoreException;
import dev.baton.tck.Mode;
import dev.baton.tck.Work;
import dev.baton.tck.history.BeliefChecker;
import dev.baton.tck.history.FencedMutexChecker;
import dev.baton.tck.history.HoldRecord;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.IntStream;

/**
 * Threads of some clients compete for one lock while the server is disturbed. Each gets a lease, nothing, or a
 * {@link StoreException}; anything else fails the case. Their records must be the history of a fenced mutex.
 */
final class Fight {
    /** The lock that all threads compete for, if none is named. */
    static final String NAME = "hot";

    private final Queue<HoldRecord> history = new ConcurrentLinkedQueue<>();
    private final AtomicInteger refusals = new AtomicInteger();
    private final AtomicInteger timeouts = new AtomicInteger();
    private final AtomicInteger failures = new AtomicInteger();
    private final List<Work<Boolean>> fighters = new ArrayList<>();
    private volatile boolean over;
    private int plain;

    /** A disturbance of the server, made again and again. */
    interface Trouble {
        void make() throws Exception;
    }

    Fight(List<Baton> clients, int threads) {
        this(NAME, clients, threads);
    }

    /**
     * Lets threads compete for a lock.
     *
     * @param threads how many of each client
     */
    Fight(String name, List<Baton> clients, int threads) {
        for (int i = 0; i < clients.size() * threads; i++) {
            DistributedLock lock = clients.get(i % clients.size()).lock(name);
            // Every other thread waits as long as it takes.
            Duration wait = i / clients.size() % 2 == 0 ? Duration.ofMinutes(1) : Duration.ofMillis(50);
            String holder = "client " + i % clients.size() + " thread " + i / clients.size();
            fighters.add(Mode.SYNC.start(() -> fight(holder, lock, wait)));
        }
    }

    private boolean fight(String holder, DistributedLock lock, Duration wait) throws InterruptedException {
        while (!over) {
            long asked = System.nanoTime();
            try {
                Optional<Lease> lease = lock.tryAcquire(wait);
                if (lease.isPresent()) {
                    hold(holder, asked, lease.get());
                } else {
                    refusals.incrementAndGet();
                }
            } catch (StoreException unknown) {
                // Without a cause, there was no time for an answer.
                (unknown.getCause() == null ? timeouts : failures).incrementAndGet();
            }
        }
        return true;
    }

    private void hold(String holder, long asked, Lease lease) {
        long got = System.nanoTime();
        boolean held = lease.isHeld();
        if (held) {
            plain++;
        }
        long letGo = System.nanoTime();
        lease.release();
        // A lease that was lost on its way back to this thread was never used.
        if (held) {
            history.add(new HoldRecord(holder, lease.token(), asked, got, letGo, System.nanoTime()));
        }
    }

    /** Makes trouble a number of times, with pauses between; then lets all threads finish, and checks. */
    void rage(int times, Duration pause, Trouble trouble) throws Exception {
        for (int i = 0; i < times; i++) {
            Thread.sleep(pause.toMillis());
            int before = history.size();
            trouble.make();
            Clients.until("they go on", () -> history.size() > before);
        }
        end(times + " times trouble");
    }

    /** Lets all threads finish, and checks. */
    void end(String trouble) throws Exception {
        over = true;
        for (Work<Boolean> fighter : fighters) {
            fighter.get(Duration.ofSeconds(60));
        }
        List<HoldRecord> holds = List.copyOf(history);
        System.out.println(holds.size() + " holds, " + refusals + " refusals, " + timeouts + " timeouts, " + failures
                + " failures in " + trouble);
        assertThat(FencedMutexChecker.check(holds)).isEmpty();
        assertThat(BeliefChecker.check(holds)).isEmpty();
        assertThat(plain).as("a plain int under the lock").isEqualTo(holds.size());
    }

    /** Returns how many turns there were. */
    int turns() {
        return history.size();
    }

    /** Returns the times between two grants that are at least so long, the shortest first. */
    List<Duration> pauses(Duration atLeast) {
        long[] granted =
                history.stream().mapToLong(HoldRecord::gotNanos).sorted().toArray();
        return IntStream.range(1, granted.length)
                .mapToObj(i -> Duration.ofNanos(granted[i] - granted[i - 1]))
                .filter(pause -> pause.compareTo(atLeast) >= 0)
                .sorted()
                .toList();
    }

    /** Returns how many callers were told that the store had failed. */
    int failures() {
        return failures.get();
    }
}
