package dev.baton.redis;

import org.jspecify.annotations.Nullable;

/**
 * How to ask sentinels, and for what. Never shows its password.
 *
 * @param service the name under which the sentinels watch the servers
 * @param tls whether the connections to sentinels are encrypted
 * @param user the user at the sentinels; null for the default user
 * @param password the password at the sentinels; null for none
 */
record SentinelAccess(
        String service,
        boolean tls,
        @Nullable String user,
        @Nullable String password) {
    @Override
    public String toString() {
        return service;
    }
}
