package dev.baton.chaos.zoo;

import java.time.Duration;

/**
 * One request for a lock.
 *
 * @param name the lock
 * @param owner the value that marks the lock as taken by this request
 * @param lease how long the lock is granted
 */
record Ask(String name, String owner, Duration lease) {
    String key() {
        return Redis.LOCKS + name;
    }

    String waitersKey() {
        return Redis.PREFIX + "waiters:" + name;
    }

    String queueKey() {
        return Redis.PREFIX + "queue:" + name;
    }

    String tokenKey() {
        return Redis.TOKENS + name;
    }

    String leaseMillis() {
        return Long.toString(lease.toMillis());
    }
}
