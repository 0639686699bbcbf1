package dev.baton;

import java.time.Duration;

/**
 * A grace period of the store, as {@link Admin#gracePeriod} found it. After a restart or failover a store may have
 * forgotten its last writes. It then grants no lock for a while, so that holders can put their locks back and keep them;
 * callers wait. Immutable.
 *
 * @param remaining how long it still lasts
 * @param reason why it began, as text for users
 * @since 0.1
 */
public record GracePeriod(Duration remaining, String reason) {}
