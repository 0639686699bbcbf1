package dev.baton.chaos.client;

import dev.baton.chaos.history.HistoryWriter;
import dev.baton.chaos.lock.Locker;
import dev.baton.chaos.lock.Wanted;
import dev.baton.chaos.zoo.Zoo;
import java.time.Duration;
import java.util.Optional;

/** The locks that can be tested, by name. */
final class Lockers {
    private static final Duration WARM_UP = Duration.ofSeconds(10);

    private Lockers() {}

    /** Opens locks, and uses one, so that the first callers do not wait until all classes are loaded. */
    static Locker open(ClientSettings settings, HistoryWriter history) {
        Locker locker = cold(settings, history);
        try {
            locker.tryOnce(Wanted.lock("warm-up"), WARM_UP);
        } catch (Exception unanswered) {
            // The callers will see.
        }
        return locker;
    }

    private static Locker cold(ClientSettings settings, HistoryWriter history) {
        if (settings.subject().equals(ClientSettings.BATON)) {
            return new BatonLocker(settings.uri(), settings, history);
        }
        Optional<String> address = Zoo.addressForBaton(settings.subject(), settings.uri());
        return address.isPresent()
                ? new PatientLocker(new BatonLocker(address.get(), settings, history))
                : Zoo.open(settings.subject(), settings.uri(), settings.leaseTime(), settings.client());
    }
}
