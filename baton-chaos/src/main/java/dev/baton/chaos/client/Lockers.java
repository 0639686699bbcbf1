package dev.baton.chaos.client;

/** The locks that can be tested, by name. */
final class Lockers {
    static final String BATON = "baton";

    private Lockers() {}

    static Locker open(ClientSettings settings) {
        if (settings.subject().equals(BATON)) {
            return new BatonLocker(settings.uri(), settings.leaseTime());
        }
        throw new IllegalArgumentException("there are no locks called " + settings.subject());
    }
}
