package dev.baton.bench;

import dev.baton.StoreException;
import dev.baton.bench.Contestant.Worker;

/** Requests a lock with a short timeout; an operation is a request that got the lock. */
final class TimedWorker implements Worker {
    /** One attempt to acquire the lock. */
    @FunctionalInterface
    interface Attempt {
        /**
         * Runs the section if it acquires the lock in time.
         *
         * @return true if it acquired the lock
         * @throws Exception if the outcome is unknown
         */
        boolean with(Runnable section) throws Exception;
    }

    private final Attempt attempt;
    private long faults;

    TimedWorker(Attempt attempt) {
        this.attempt = attempt;
    }

    @Override
    public long work(Runnable section) throws Exception {
        try {
            return attempt.with(section) ? 1 : 0;
        } catch (StoreException e) {
            // On a busy machine the server's reply can take longer than the timeout.
            faults++;
            return 0;
        }
    }

    @Override
    public long faults() {
        return faults;
    }
}
