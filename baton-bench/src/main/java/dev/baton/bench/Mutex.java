package dev.baton.bench;

import dev.baton.DistributedLock;
import dev.baton.Lease;
import dev.baton.ReleaseOutcome;
import dev.baton.bench.Contestant.Client;
import dev.baton.bench.Contestant.Worker;
import java.util.List;
import java.util.concurrent.locks.Lock;
import java.util.function.Function;

/** A lock to acquire and release; one pair of both is one operation. */
@FunctionalInterface
interface Mutex {
    /**
     * Acquires the lock, runs the section, and releases the lock.
     *
     * @param section the code to run under the lock
     * @throws Exception if the lock was not acquired, or was lost before the release
     */
    void with(Runnable section) throws Exception;

    static Mutex of(Lock lock) {
        return section -> {
            lock.lock();
            try {
                section.run();
            } finally {
                lock.unlock();
            }
        };
    }

    static Mutex of(DistributedLock lock) {
        return section -> {
            Lease lease = lock.acquire();
            ReleaseOutcome outcome;
            try {
                section.run();
            } finally {
                outcome = lease.release();
            }
            if (outcome != ReleaseOutcome.RELEASED) {
                throw new IllegalStateException(lock.name() + " was " + outcome + " when it was released");
            }
        };
    }

    /** Creates a client whose workers acquire locks in turn. */
    static Client client(Function<String, Mutex> mutexes, Runnable closer) {
        return workers(
                names -> new AcquireReleaseBatch(names.stream().map(mutexes).toList()), closer);
    }

    /** Creates a client from two functions. */
    static Client workers(Function<List<String>, Worker> workers, Runnable closer) {
        return new Client() {
            @Override
            public Worker worker(List<String> names) {
                return workers.apply(names);
            }

            @Override
            public void close() {
                closer.run();
            }
        };
    }

    /** Acquires and releases one lock after the other, in a circle. */
    final class AcquireReleaseBatch implements Worker {
        private final List<Mutex> mutexes;
        private int next;

        AcquireReleaseBatch(List<Mutex> mutexes) {
            this.mutexes = mutexes;
        }

        @Override
        public long work(Runnable section) throws Exception {
            mutexes.get(next).with(section);
            next = (next + 1) % mutexes.size();
            return 1;
        }

        @Override
        public boolean isTimed() {
            return true;
        }
    }
}
