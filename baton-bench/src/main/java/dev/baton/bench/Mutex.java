package dev.baton.bench;

import dev.baton.DistributedLock;
import dev.baton.Lease;
import dev.baton.ReleaseOutcome;
import dev.baton.bench.Contestant.Client;
import dev.baton.bench.Contestant.Worker;
import java.util.List;
import java.util.concurrent.locks.Lock;
import java.util.function.Function;

/** A lock that can be taken and given back: one pair is one operation. */
@FunctionalInterface
interface Mutex {
    /**
     * Waits for the lock, runs the section, gives the lock back.
     *
     * @param section what to do under the lock
     * @throws Exception if the lock did not come, or was not there any more in the end
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

    /** A client whose workers take locks in turn. */
    static Client client(Function<String, Mutex> mutexes, Runnable closer) {
        return workers(
                names -> new AcquireReleaseBatch(names.stream().map(mutexes).toList()), closer);
    }

    /** A client of two functions. */
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

    /** Takes one lock after the other, and begins again. */
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
