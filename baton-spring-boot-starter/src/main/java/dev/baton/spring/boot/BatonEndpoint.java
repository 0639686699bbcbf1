package dev.baton.spring.boot;

import dev.baton.Baton;
import dev.baton.LockInfo;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.springframework.boot.actuate.endpoint.annotation.DeleteOperation;
import org.springframework.boot.actuate.endpoint.annotation.Endpoint;
import org.springframework.boot.actuate.endpoint.annotation.ReadOperation;
import org.springframework.boot.actuate.endpoint.annotation.Selector;

/**
 * The locks of the namespace: {@code /actuator/baton}. Changes nothing.
 *
 * @since 0.1
 */
@Endpoint(id = "baton")
public class BatonEndpoint {
    /** More than a person reads, and little enough for any store. */
    private static final int MOST = 200;

    private final Baton baton;

    /**
     * Creates the endpoint.
     *
     * @param baton whose locks are shown
     */
    public BatonEndpoint(Baton baton) {
        this.baton = baton;
    }

    /**
     * Lists locks.
     *
     * @param prefix of their names; all if it is missing (Boot 3 knows only the older annotation)
     * @return what this client holds, how many of its callers wait, and at most 200 locks of all clients
     */
    @ReadOperation
    public Map<String, Object> locks(@org.springframework.lang.Nullable @Nullable String prefix) {
        List<LockInfo> found = baton.admin().list(prefix == null ? "" : prefix, MOST);
        return Map.of(
                "clientId", baton.clientId(),
                "heldLeases", baton.heldLeases(),
                "waitingCallers", baton.waitingCallers(),
                "locks", found);
    }

    /**
     * Shows one lock.
     *
     * @param name of the lock
     * @return its holders and waiters; null if it is free and has no waiters
     */
    @ReadOperation
    public @Nullable LockInfo lock(@Selector String name) {
        return baton.admin().inspect(name).orElse(null);
    }

    /** The same, and releases locks by force: for operators who may do that. */
    @Endpoint(id = "baton")
    public static class Forcing extends BatonEndpoint {
        private final Baton baton;

        /**
         * Creates the endpoint.
         *
         * @param baton whose locks are shown and released
         */
        public Forcing(Baton baton) {
            super(baton);
            this.baton = baton;
        }

        /**
         * Asks for the release of a lock; its holder loses it at its next heartbeat.
         *
         * @param name of the lock
         * @return who had it; null if it was free
         */
        @DeleteOperation
        public LockInfo.@Nullable Holder release(@Selector String name) {
            Optional<LockInfo.Holder> holder = baton.admin().forceRelease(name);
            return holder.orElse(null);
        }
    }
}
