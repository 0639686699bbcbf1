package dev.baton.shedlock;

import java.time.Duration;
import java.util.Optional;
import net.javacrumbs.shedlock.core.ExtensibleLockProvider;
import net.javacrumbs.shedlock.core.LockConfiguration;
import net.javacrumbs.shedlock.core.LockProvider;
import net.javacrumbs.shedlock.core.SimpleLock;

/** Takes two locks, the former provider's first. All nodes take them in this order, so no two of them stop each other. */
record Moving(LockProvider former, LockProvider next) implements ExtensibleLockProvider {
    @Override
    public Optional<SimpleLock> lock(LockConfiguration configuration) {
        Optional<SimpleLock> first = former.lock(configuration);
        if (first.isEmpty()) {
            return Optional.empty();
        }
        Optional<SimpleLock> second = Optional.empty();
        try {
            second = next.lock(configuration);
        } finally {
            if (second.isEmpty()) {
                first.get().unlock();
            }
        }
        return second.map(got -> new Both(first.get(), got));
    }

    private record Both(SimpleLock first, SimpleLock second) implements SimpleLock {
        @Override
        public void unlock() {
            try {
                second.unlock();
            } finally {
                first.unlock();
            }
        }

        /** If only one can be extended, neither can be used any longer: both are given up. */
        @Override
        public Optional<SimpleLock> extend(Duration atMost, Duration atLeast) {
            Optional<SimpleLock> one = Optional.empty();
            Optional<SimpleLock> other = Optional.empty();
            try {
                one = first.extend(atMost, atLeast);
                other = one.isEmpty() ? Optional.empty() : second.extend(atMost, atLeast);
            } finally {
                if (other.isEmpty()) {
                    giveUp(one);
                }
            }
            return other.isEmpty() ? Optional.empty() : Optional.of(new Both(one.get(), other.get()));
        }

        /** A lock that was extended is unlocked by the new handle; one that was not, by the old. */
        private void giveUp(Optional<SimpleLock> firstExtended) {
            try {
                unlockQuietly(second);
            } finally {
                firstExtended.ifPresentOrElse(SimpleLock::unlock, () -> unlockQuietly(first));
            }
        }

        private static void unlockQuietly(SimpleLock lock) {
            try {
                lock.unlock();
            } catch (IllegalStateException unused) {
                // After an attempt to extend it, a provider may refuse to unlock it: it has ended then.
            }
        }
    }
}
