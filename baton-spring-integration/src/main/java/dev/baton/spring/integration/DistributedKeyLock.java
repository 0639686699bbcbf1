package dev.baton.spring.integration;

import dev.baton.ReentrantDistributedLock;
import java.time.Duration;
import org.jspecify.annotations.Nullable;
import org.springframework.integration.support.locks.DistributedLock;

/** A lock for Spring Integration 7. Its type is not in 6.5, where this class must not be loaded. */
final class DistributedKeyLock extends KeyLock implements DistributedLock {
    private DistributedKeyLock(ReentrantDistributedLock lock, @Nullable Duration time, Holds holds) {
        super(lock, time, holds);
    }

    /** Creates a lock. A caller that names only the supertype is verified without this class. */
    static KeyLock of(ReentrantDistributedLock lock, @Nullable Duration time, Holds holds) {
        return new DistributedKeyLock(lock, time, holds);
    }
}
