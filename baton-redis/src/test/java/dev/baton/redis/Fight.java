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

/**
 * Threads of some clients fight for one lock while something happens to the server. Each sees a lease, nothing, or a
 * {@link StoreException}; anything else ends the case. What they saw must be the history of a fenced mutex.
 */
final class Fight {
    /** The lock that all fight for. */
    static final String NAME = "hot";

    private final Queue<HoldRecord> history = new ConcurrentLinkedQueue<>();
    private final AtomicInteger refusals = new AtomicInteger();
    private final AtomicInteger timeouts = new AtomicInteger();
    private final AtomicInteger failures = new AtomicInteger();
    private final List<Work<Boolean>> fighters = new ArrayList<>();
    private volatile boolean over;
    private int plain;

    /** What happens to the server, again and again. */
    interface Trouble {
        void make() throws Exception;
    }

    Fight(List<Baton> clients, int threads) {
        for (int i = 0; i < clients.size() * threads; i++) {
            DistributedLock lock = clients.get(i % clients.size()).lock(NAME);
            // Every other one waits as long as it takes.
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
        // One that was lost on its way back to this thread was never used.
        if (held) {
            history.add(new HoldRecord(holder, lease.token(), asked, got, letGo, System.nanoTime()));
        }
    }

    /** Makes trouble so many times, with so much time between; then lets all come to their end, and checks. */
    void rage(int times, Duration pause, Trouble trouble) throws Exception {
        for (int i = 0; i < times; i++) {
            Thread.sleep(pause.toMillis());
            int before = history.size();
            trouble.make();
            Clients.until("they go on", () -> history.size() > before);
        }
        over = true;
        for (Work<Boolean> fighter : fighters) {
            fighter.get(Duration.ofSeconds(60));
        }
        List<HoldRecord> holds = List.copyOf(history);
        System.out.println(holds.size() + " holds, " + refusals + " refusals, " + timeouts + " timeouts, " + failures
                + " failures in " + times + " times trouble");
        assertThat(FencedMutexChecker.check(holds)).isEmpty();
        assertThat(BeliefChecker.check(holds)).isEmpty();
        assertThat(plain).as("a plain int under the lock").isEqualTo(holds.size());
    }

    /** How often somebody was told that the store had failed. */
    int failures() {
        return failures.get();
    }
}
