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
            Optional<SimpleLock> one = first.extend(atMost, atLeast);
            Optional<SimpleLock> other = one.isEmpty() ? Optional.empty() : second.extend(atMost, atLeast);
            if (other.isEmpty()) {
                one.ifPresent(SimpleLock::unlock);
                return Optional.empty();
            }
            return Optional.of(new Both(one.get(), other.get()));
        }
    }
}
