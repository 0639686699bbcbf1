package dev.baton.bench.micro;

import dev.baton.Baton;
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
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.Threads;
import org.openjdk.jmh.annotations.Warmup;
import org.openjdk.jmh.infra.ThreadParams;

/**
 * Uncontended pairs: each thread acquires and releases names of its own, as locks, as readers, as the writer or as one of
 * several permits, so that one run compares them. All threads share one client, so that on a store behind a connection,
 * more threads put more calls into one write.
 */
@BenchmarkMode(Mode.Throughput)
@OutputTimeUnit(TimeUnit.SECONDS)
@Fork(1)
@Warmup(iterations = 5, time = 1)
@Measurement(iterations = 5, time = 1)
public class Pairs {
    /** Creates an instance; JMH needs it. */
    public Pairs() {}

    /** A few locks to acquire in turn, because a single lock might be faster than the locks of a service. */
    @State(Scope.Thread)
    public static class OwnLocks {
        private static final int COUNT = 4;
        private static final int PERMITS = 10;

        /** What a pair acquires: {@code lock}, {@code read}, {@code write} or {@code permit}. */
        @Param({"lock", "read", "write", "permit"})
        public String kind = "";

        private DistributedLock[] locks = {};
        private int next;

        /** Creates an instance; JMH needs it. */
        public OwnLocks() {}

        /**
         * Creates the locks.
         *
         * @param client the client
         * @param thread the thread that uses them
         */
        @Setup
        public void make(MicroClient client, ThreadParams thread) {
            locks = IntStream.range(0, COUNT)
                    .mapToObj(lock -> of(client.baton(), kind + " " + thread.getThreadIndex() + " " + lock))
                    .toArray(DistributedLock[]::new);
        }

        private DistributedLock of(Baton client, String name) {
            return switch (kind) {
                case "lock" -> client.lock(name);
                case "read" -> client.readWriteLock(name).read();
                case "write" -> client.readWriteLock(name).write();
                case "permit" -> client.semaphore(name, PERMITS);
                default -> throw new IllegalArgumentException("no kind of pairs: " + kind);
            };
        }

        ReleaseOutcome pair() throws InterruptedException {
            next = (next + 1) % locks.length;
            return locks[next].acquire().release();
        }
    }

    /**
     * Measures one thread.
     *
     * @param locks the locks of the thread
     * @return the outcome of the release
     * @throws InterruptedException if the run is interrupted
     */
    @Benchmark
    public ReleaseOutcome by1(OwnLocks locks) throws InterruptedException {
        return locks.pair();
    }

    /**
     * Measures 4 threads.
     *
     * @param locks the locks of each thread
     * @return the outcome of the release
     * @throws InterruptedException if the run is interrupted
     */
    @Benchmark
    @Threads(4)
    public ReleaseOutcome by4(OwnLocks locks) throws InterruptedException {
        return locks.pair();
    }

    /**
     * Measures 16 threads.
     *
     * @param locks the locks of each thread
     * @return the outcome of the release
     * @throws InterruptedException if the run is interrupted
     */
    @Benchmark
    @Threads(16)
    public ReleaseOutcome by16(OwnLocks locks) throws InterruptedException {
        return locks.pair();
    }

    /**
     * Measures 64 threads.
     *
     * @param locks the locks of each thread
     * @return the outcome of the release
     * @throws InterruptedException if the run is interrupted
     */
    @Benchmark
    @Threads(64)
    public ReleaseOutcome by64(OwnLocks locks) throws InterruptedException {
        return locks.pair();
    }
}
