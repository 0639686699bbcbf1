package dev.baton.bench.micro;

import dev.baton.DistributedLock;
import dev.baton.ReleaseOutcome;
import java.util.Objects;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Fork;
import org.openjdk.jmh.annotations.Measurement;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.Threads;
import org.openjdk.jmh.annotations.Warmup;

/** All threads of one client compete for one lock, which they hand over without a call to the store. */
@BenchmarkMode(Mode.Throughput)
@OutputTimeUnit(TimeUnit.SECONDS)
@Fork(1)
@Warmup(iterations = 5, time = 1)
@Measurement(iterations = 5, time = 1)
public class HandOffs {
    /** Creates an instance; JMH needs it. */
    public HandOffs() {}

    /** The lock that all threads compete for. */
    @State(Scope.Benchmark)
    public static class OneLock {
        private @Nullable DistributedLock lock;

        /** Creates an instance; JMH needs it. */
        public OneLock() {}

        /**
         * Creates the lock.
         *
         * @param client the client
         */
        @Setup
        public void make(MicroClient client) {
            lock = client.baton().lock("hot");
        }

        ReleaseOutcome pair() throws InterruptedException {
            return Objects.requireNonNull(lock).acquire().release();
        }
    }

    /**
     * Measures 2 threads.
     *
     * @param lock the shared lock
     * @return the outcome of the release
     * @throws InterruptedException if the run is interrupted
     */
    @Benchmark
    @Threads(2)
    public ReleaseOutcome among2(OneLock lock) throws InterruptedException {
        return lock.pair();
    }

    /**
     * Measures 4 threads.
     *
     * @param lock the shared lock
     * @return the outcome of the release
     * @throws InterruptedException if the run is interrupted
     */
    @Benchmark
    @Threads(4)
    public ReleaseOutcome among4(OneLock lock) throws InterruptedException {
        return lock.pair();
    }

    /**
     * Measures 16 threads.
     *
     * @param lock the shared lock
     * @return the outcome of the release
     * @throws InterruptedException if the run is interrupted
     */
    @Benchmark
    @Threads(16)
    public ReleaseOutcome among16(OneLock lock) throws InterruptedException {
        return lock.pair();
    }
}
