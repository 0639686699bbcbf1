package dev.baton.bench;

import dev.baton.StoreException;
import dev.baton.bench.Contestant.Worker;

/** Asks for a lock, and goes away if it does not come soon: an operation is one that came. */
final class TimedWorker implements Worker {
    /** One attempt. */
    @FunctionalInterface
    interface Attempt {
        /**
         * Runs the section if the lock comes in time.
         *
         * @return whether it came
         * @throws Exception if nobody knows
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
            // Where the machine is busy, the server's answer takes longer than the patience.
            faults++;
            return 0;
        }
    }

    @Override
    public long faults() {
        return faults;
    }
}
