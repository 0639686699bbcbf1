package dev.baton.tck;

import static org.assertj.core.api.Assertions.assertThat;

import dev.baton.Baton;
import dev.baton.BatonOptions;
import dev.baton.tck.history.BeliefChecker;
import dev.baton.tck.history.FencedMutexChecker;
import dev.baton.tck.history.HoldRecord;
import dev.baton.tck.history.Recorder;
import dev.baton.tck.history.Residue;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

/** Clients and threads compete for one lock; their observations must fit a fenced mutex. For every store. */
public abstract class HistoryContract {
    private static final int CLIENTS = 4;
    private static final int THREADS = 4;
    private static final Duration LENGTH = Duration.ofSeconds(Boolean.getBoolean("baton.nightly") ? 120 : 2);

    /** Returns an empty store. */
    protected abstract StoreFixture newFixture() throws Exception;

    @Test
    @SuppressWarnings("try") // an interrupt may hit the closing of a fixture, which fails the test
    @DisplayName("P19 P29: every history is one of a mutex whose tokens grow, and leaves nothing")
    void history_ofManyClientsAndThreads_isOneOfAFencedMutex() throws Exception {
        try (StoreFixture fixture = newFixture()) {
            Recorder recorder = new Recorder();
            int[] plain = new int[1];
            fight(fixture, recorder, plain);
            List<HoldRecord> history = recorder.history();
            System.out.println(fixture.capabilities().store() + ": " + history.size() + " holds of " + CLIENTS + " x "
                    + THREADS + " callers in " + LENGTH.toSeconds() + " s");
            assertThat(FencedMutexChecker.check(history)).isEmpty();
            assertThat(BeliefChecker.check(history)).isEmpty();
            assertThat(plain[0]).as("a plain int under the lock").isEqualTo(history.size());
            assertThat(Residue.await(fixture::residue, 0, Duration.ofSeconds(20)))
                    .isZero();
        }
    }

    private static void fight(StoreFixture fixture, Recorder recorder, int[] plain) throws Exception {
        List<Baton> batons = new ArrayList<>();
        ExecutorService pool = Executors.newFixedThreadPool(CLIENTS * THREADS);
        try {
            long end = System.nanoTime() + LENGTH.toNanos();
            List<Future<?>> running = new ArrayList<>();
            for (int i = 0; i < CLIENTS * THREADS; i++) {
                if (i % THREADS == 0) {
                    batons.add(Baton.connect(
                            fixture.uri(),
                            BatonOptions.builder()
                                    .namespace(StoreFixture.NAMESPACE)
                                    .connectTimeout(Duration.ofSeconds(20))
                                    .build()));
                }
                Baton baton = batons.get(batons.size() - 1);
                String holder = "client " + (batons.size() - 1) + " thread " + i % THREADS;
                running.add(pool.submit(() -> {
                    while (System.nanoTime() < end) {
                        recorder.hold(holder, baton.lock("hot"), lease -> plain[0]++);
                    }
                    return holder;
                }));
            }
            for (Future<?> each : running) {
                each.get();
            }
        } finally {
            pool.shutdownNow();
            batons.forEach(Baton::close);
        }
    }
}
