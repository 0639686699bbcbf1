package dev.baton.chaos.client;

import dev.baton.chaos.lock.Locker;
import dev.baton.chaos.lock.Wanted;
import java.time.Duration;
import java.util.SplittableRandom;

/**
 * Locks whose callers wait a quarter of a second at least: no store answers within a few milliseconds while the machine is
 * busy with other work, and what callers are told then is not what is tested.
 */
record PatientLocker(Locker locker) implements Locker {
    private static final Duration LEAST = Duration.ofMillis(250);

    @Override
    public Outcome use(Wanted wanted, Duration wait, SplittableRandom random, Section section) throws Exception {
        return locker.use(wanted, wait.compareTo(LEAST) < 0 ? LEAST : wait, random, section);
    }

    @Override
    public boolean tryOnce(Wanted wanted, Duration wait) throws Exception {
        return locker.tryOnce(wanted, wait);
    }

    @Override
    public void close() {
        locker.close();
    }
}
