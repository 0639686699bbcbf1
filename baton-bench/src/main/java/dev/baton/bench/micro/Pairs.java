package dev.baton.bench.micro;

import dev.baton.DistributedLock;
import dev.baton.ReleaseOutcome;
import java.util.concurrent.TimeUnit;
import java.util.stream.IntStream;
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
import org.openjdk.jmh.infra.ThreadParams;

/**
 * Uncontended pairs: an acquisition and a release of a lock that nobody else wants. Each thread has its own locks, and all
 * threads share one client: on a store behind a connection, the more of them there are, the more calls go together.
 */
@BenchmarkMode(Mode.Throughput)
@OutputTimeUnit(TimeUnit.SECONDS)
@Fork(1)
@Warmup(iterations = 5, time = 1)
@Measurement(iterations = 5, time = 1)
public class Pairs {
    /** For JMH. */
    public Pairs() {}

    /** A few locks, to be taken in turn: one alone might be treated better than the locks of a service are. */
    @State(Scope.Thread)
    public static class OwnLocks {
        private static final int COUNT = 4;

        private DistributedLock[] locks = {};
        private int next;

        /** For JMH. */
        public OwnLocks() {}

        /**
         * Makes the locks.
         *
         * @param client whose they are
         * @param thread for whom
         */
        @Setup
        public void make(MicroClient client, ThreadParams thread) {
            locks = IntStream.range(0, COUNT)
                    .mapToObj(lock -> client.baton().lock("pairs " + thread.getThreadIndex() + " " + lock))
                    .toArray(DistributedLock[]::new);
        }

        ReleaseOutcome pair() throws InterruptedException {
            next = (next + 1) % locks.length;
            return locks[next].acquire().release();
        }
    }

    /**
     * By one thread.
     *
     * @param locks its locks
     * @return what became of the lease
     * @throws InterruptedException if the run is ended
     */
    @Benchmark
    public ReleaseOutcome by1(OwnLocks locks) throws InterruptedException {
        return locks.pair();
    }

    /**
     * By 4 threads.
     *
     * @param locks of each
     * @return what became of the lease
     * @throws InterruptedException if the run is ended
     */
    @Benchmark
    @Threads(4)
    public ReleaseOutcome by4(OwnLocks locks) throws InterruptedException {
        return locks.pair();
    }

    /**
     * By 16 threads.
     *
     * @param locks of each
     * @return what became of the lease
     * @throws InterruptedException if the run is ended
     */
    @Benchmark
    @Threads(16)
    public ReleaseOutcome by16(OwnLocks locks) throws InterruptedException {
        return locks.pair();
    }

    /**
     * By 64 threads.
     *
     * @param locks of each
     * @return what became of the lease
     * @throws InterruptedException if the run is ended
     */
    @Benchmark
    @Threads(64)
    public ReleaseOutcome by64(OwnLocks locks) throws InterruptedException {
        return locks.pair();
    }
}
