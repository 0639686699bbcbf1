package dev.baton.bench.micro;

import dev.baton.Lease;
import dev.baton.ReentrantDistributedLock;
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
import org.openjdk.jmh.annotations.TearDown;
import org.openjdk.jmh.annotations.Warmup;

/** What a holder does in between: without a call to the store, whichever it is. */
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
@Fork(1)
@Warmup(iterations = 5, time = 1)
@Measurement(iterations = 5, time = 1)
public class WhileHolding {
    /** For JMH. */
    public WhileHolding() {}

    /** A lock that the measuring thread holds all the while. */
    @State(Scope.Thread)
    public static class Held {
        private @Nullable ReentrantDistributedLock lock;
        private @Nullable Lease lease;

        /** For JMH. */
        public Held() {}

        /**
         * Takes the lock.
         *
         * @param client whose it is
         */
        @Setup
        public void take(MicroClient client) {
            ReentrantDistributedLock taken = client.baton().reentrantLock("held");
            taken.lock();
            lease = taken.currentLease().orElseThrow();
            lock = taken;
        }

        ReentrantDistributedLock lock() {
            return Objects.requireNonNull(lock);
        }

        Lease lease() {
            return Objects.requireNonNull(lease);
        }

        /** Gives it back. */
        @TearDown
        public void giveBack() {
            lock().unlock();
        }
    }

    /**
     * Locks once more, and unlocks.
     *
     * @param held the lock
     * @return the lock
     */
    @Benchmark
    public ReentrantDistributedLock reentrantPair(Held held) {
        ReentrantDistributedLock lock = held.lock();
        lock.lock();
        try {
            return lock;
        } finally {
            lock.unlock();
        }
    }

    /**
     * Asks the lease.
     *
     * @param held the lock
     * @return true
     */
    @Benchmark
    public boolean isHeld(Held held) {
        return held.lease().isHeld();
    }

    /**
     * Asks the lock.
     *
     * @param held the lock
     * @return true
     */
    @Benchmark
    public boolean isHeldByCurrentThread(Held held) {
        return held.lock().isHeldByCurrentThread();
    }
}
