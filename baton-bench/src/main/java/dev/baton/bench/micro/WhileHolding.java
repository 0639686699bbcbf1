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

/** Operations of a holder that need no call to any store. */
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
@Fork(1)
@Warmup(iterations = 5, time = 1)
@Measurement(iterations = 5, time = 1)
public class WhileHolding {
    /** Creates an instance; JMH needs it. */
    public WhileHolding() {}

    /** A lock that the measuring thread holds during the whole measurement. */
    @State(Scope.Thread)
    public static class Held {
        private @Nullable ReentrantDistributedLock lock;
        private @Nullable Lease lease;

        /** Creates an instance; JMH needs it. */
        public Held() {}

        /**
         * Acquires the lock.
         *
         * @param client the client
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

        /** Releases the lock. */
        @TearDown
        public void giveBack() {
            lock().unlock();
        }
    }

    /**
     * Locks the held lock again and unlocks it.
     *
     * @param held the held lock
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
     * Asks the lease whether it is held.
     *
     * @param held the held lock
     * @return true
     */
    @Benchmark
    public boolean isHeld(Held held) {
        return held.lease().isHeld();
    }

    /**
     * Asks the lock whether the thread holds it.
     *
     * @param held the held lock
     * @return true
     */
    @Benchmark
    public boolean isHeldByCurrentThread(Held held) {
        return held.lock().isHeldByCurrentThread();
    }
}
