package dev.baton.chaos.client;

import dev.baton.chaos.lock.Locker;
import dev.baton.chaos.zoo.Zoo;

/** The locks that can be tested, by name. */
final class Lockers {
    private Lockers() {}

    static Locker open(ClientSettings settings) {
        if (settings.subject().equals(ClientSettings.BATON)) {
            return new BatonLocker(settings.uri(), settings.leaseTime());
        }
        return Zoo.open(settings.subject(), settings.uri(), settings.leaseTime(), settings.client());
    }
}
