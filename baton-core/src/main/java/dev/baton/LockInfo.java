package dev.baton;

import java.time.Duration;
import java.util.List;

/**
 * What the store knows of a lock, for people: it may have changed by the time it is read.
 *
 * @param name the lock's name
 * @param kind lock, read-write lock or semaphore, in lower case
 * @param holders who has it
 * @param waiters who queues for it, next first
 */
public record LockInfo(String name, String kind, List<Holder> holders, List<String> waiters) {
    /**
     * A holder.
     *
     * @param description host, process, thread and since when, as the holder described itself
     * @param clientId the holder's client
     * @param token its store token: the public tokens of the hold divided by 256; what force release takes
     * @param firstToken what {@link Lease#token} said to the first lease of the hold. Leases that it was handed on to
     *     within the same client count on from it, so a resource sees this one or one of the 255 above
     * @param remaining how long it stays without renewal
     * @param revoked whether force was used on it already
     */
    public record Holder(
            String description, String clientId, long token, long firstToken, Duration remaining, boolean revoked) {}
}
