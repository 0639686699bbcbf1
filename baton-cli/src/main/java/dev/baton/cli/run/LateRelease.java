package dev.baton.cli.run;

import dev.baton.Baton;
import dev.baton.BatonOptions;
import dev.baton.DistributedLock;
import dev.baton.StoreException;
import dev.baton.cli.console.HostTime;
import java.time.Duration;

/**
 * A release that the store did not answer in time. Baton retries it in the background, so this asks the store until the
 * lock is free. If dozens of commands start in the same second, a machine with two processors may need longer for a
 * release than a store may take for a command.
 */
final class LateRelease {
    private static final Duration PATIENCE = BatonOptions.DEFAULT_STORE_TIMEOUT;
    private static final Duration PAUSE = Duration.ofMillis(100);

    private LateRelease() {}

    /** Waits until this client does not hold the lock any more. Returns false if that is not certain in time. */
    static boolean comesThrough(Baton baton, DistributedLock lock) {
        HostTime.Stopwatch waited = new HostTime.Stopwatch();
        while (waited.elapsed().compareTo(PATIENCE) < 0) {
            try {
                if (!isHeldBy(baton, lock)) {
                    return true;
                }
                Thread.sleep(PAUSE.toMillis());
            } catch (StoreException silent) {
                // The failed call has taken its time: no pause is needed.
            } catch (InterruptedException ending) {
                Thread.currentThread().interrupt();
                return false;
            }
        }
        return false;
    }

    private static boolean isHeldBy(Baton baton, DistributedLock lock) {
        return lock.inspect().stream()
                .flatMap(info -> info.holders().stream())
                .anyMatch(holder -> holder.clientId().equals(baton.clientId()));
    }
}
