package dev.baton.chaos.zoo;

import dev.baton.chaos.lock.UnansweredException;
import redis.clients.jedis.exceptions.JedisException;

/** What callers see when Redis does not answer, and when they release a lock that is gone. */
enum Errors {
    /** The exceptions that they are told of. */
    DOCUMENTED {
        @Override
        RuntimeException of(JedisException failed) {
            return new UnansweredException(failed);
        }
    },
    /** The driver's exceptions. */
    OF_THE_DRIVER {
        @Override
        RuntimeException of(JedisException failed) {
            return failed;
        }
    },
    /** The release of a lock that is gone throws. */
    OF_THE_RELEASE {
        @Override
        RuntimeException of(JedisException failed) {
            return DOCUMENTED.of(failed);
        }

        @Override
        void releasedWithoutLock() {
            throw new IllegalMonitorStateException("attempt to unlock a lock that is not locked by this thread");
        }
    };

    abstract RuntimeException of(JedisException failed);

    /** The lock was gone when its holder released it. */
    void releasedWithoutLock() {}
}
