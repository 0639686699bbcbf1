package dev.baton;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/**
 * How often the threads of a client give up the processor while sixteen of them pass one lock on. The next thread must
 * be woken by the one that releases: then a hand-over costs one switch, that of the thread which waits. A thread in
 * between, an executor or a timer, adds a second one.
 *
 * <p>Switches are counted and not timed: on a busy machine the fair lock of the JDK, which stands beside Baton in the
 * output, is four times as fast in some rounds as in others.
 */
@Tag("serial")
class LocalHandOffSwitchesTest {
    private static final int THREADS = 16;
    private static final long NANOS = 400_000_000;
    private static final int ROUNDS = 5;
    private static final Path TASKS = Path.of("/proc/self/task");
    private static final String VOLUNTARY = "voluntary_ctxt_switches:";

    private long passes;
    private long handOvers;
    private @Nullable Thread last;

    @Test
    void localHandOff_sixteenThreads_switchesNoOtherThreadIn() throws Exception {
        assumeTrue(Files.isDirectory(TASKS), "the system counts the switches of each thread in " + TASKS);
        ReentrantLock fair = new ReentrantLock(true);
        double[] switches = new double[ROUNDS];
        ExecutorService pool = Executors.newFixedThreadPool(THREADS);
        try (Baton baton = Baton.connect("memory:")) {
            DistributedLock lock = baton.lock("hot");
            for (int round = -1; round < ROUNDS; round++) {
                Measured jdk = measure(pool, () -> underJdk(fair));
                Measured ours = measure(pool, () -> underBaton(lock));
                System.out.printf(Locale.ROOT, "fair ReentrantLock %s; Baton %s%n", jdk, ours);
                if (round >= 0) {
                    switches[round] = ours.switchesPerHandOver();
                }
            }
        } finally {
            pool.shutdown();
        }
        Arrays.sort(switches);
        assertThat(switches[ROUNDS / 2])
                .as("median of switches a hand-over: %s", Arrays.toString(switches))
                .isLessThan(1.2);
    }

    private record Measured(long handOvers, long wallNanos, long switches) {
        double switchesPerHandOver() {
            return (double) switches / handOvers;
        }

        @Override
        public String toString() {
            return String.format(
                    Locale.ROOT, "%,.0f/s, %.2f switches each", handOvers * 1e9 / wallNanos, switchesPerHandOver());
        }
    }

    private Measured measure(ExecutorService pool, Pass pass) throws Exception {
        passes = 0;
        handOvers = 0;
        long wall = System.nanoTime();
        long switches = switches();
        long expected = passes(pool, pass);
        Measured measured = new Measured(handOvers, System.nanoTime() - wall, switches() - switches);
        assertThat(passes).as("nobody was in at the same time").isEqualTo(expected);
        return measured;
    }

    /** How often the threads of this process have given up the processor by waiting for something. */
    private static long switches() throws IOException {
        long total = 0;
        try (DirectoryStream<Path> tasks = Files.newDirectoryStream(TASKS)) {
            for (Path task : tasks) {
                total += switches(task);
            }
        }
        return total;
    }

    private static long switches(Path task) throws IOException {
        try {
            for (String line : Files.readAllLines(task.resolve("status"))) {
                if (line.startsWith(VOLUNTARY)) {
                    return Long.parseLong(line.substring(VOLUNTARY.length()).strip());
                }
            }
            throw new IOException("no " + VOLUNTARY + " in " + task);
        } catch (NoSuchFileException e) {
            return 0; // The thread has ended since its directory was listed.
        }
    }

    private void underJdk(ReentrantLock lock) {
        lock.lock();
        try {
            count(1);
        } finally {
            lock.unlock();
        }
    }

    private void underBaton(DistributedLock lock) throws InterruptedException {
        try (Lease lease = lock.acquire()) {
            count(lease.token());
        }
    }

    /** A pass is a hand-over if another thread had the lock before: a thread without competitors hands over nothing. */
    private void count(long token) {
        Thread me = Thread.currentThread();
        passes += token > 0 ? 1 : 0;
        handOvers += last == me ? 0 : 1;
        last = me;
    }

    /** One pass under a lock. */
    private interface Pass {
        void run() throws InterruptedException;
    }

    /** All threads start at once: a thread that is done before the next one begins has no competitor. */
    private static long passes(ExecutorService pool, Pass pass) throws Exception {
        CyclicBarrier start = new CyclicBarrier(THREADS);
        List<Future<Long>> futures = new ArrayList<>();
        for (int i = 0; i < THREADS; i++) {
            futures.add(pool.submit(() -> {
                start.await();
                long end = System.nanoTime() + NANOS;
                long passes = 0;
                while (System.nanoTime() < end) {
                    pass.run();
                    passes++;
                }
                return passes;
            }));
        }
        long total = 0;
        for (Future<Long> future : futures) {
            total += future.get();
        }
        return total;
    }
}
