package dev.baton.bench;

import java.time.Duration;
import net.javacrumbs.shedlock.core.ClockProvider;
import net.javacrumbs.shedlock.core.LockConfiguration;
import net.javacrumbs.shedlock.core.LockProvider;
import net.javacrumbs.shedlock.core.SimpleLock;

/** Locks of ShedLock, on any provider. */
final class ShedLocks {
    private static final Duration LONGEST_HOLD = Duration.ofSeconds(30);

    static final String SETTINGS = "a lock expires after " + Setup.time(LONGEST_HOLD) + " and is not renewed";

    private ShedLocks() {}

    /** Fails if the lock is not free, because ShedLock does not wait. */
    static Mutex of(LockProvider provider, String name) {
        return section -> {
            LockConfiguration once = new LockConfiguration(ClockProvider.now(), name, LONGEST_HOLD, Duration.ZERO);
            SimpleLock lock = provider.lock(once).orElseThrow(() -> new IllegalStateException(name + " is not free"));
            try {
                section.run();
            } finally {
                lock.unlock();
            }
        };
    }
}
