package dev.baton.spring.boot;

import dev.baton.BatonOptions;
import java.time.Duration;
import org.jspecify.annotations.Nullable;
import org.springframework.boot.context.properties.ConfigurationProperties;
import org.springframework.boot.context.properties.bind.DefaultValue;

/**
 * The properties of the lock client.
 *
 * @param uri address of the store, as {@code redis://host:6379}; if it is missing, the store is derived from
 *     {@code spring.data.redis.*} or the DataSource of the application
 * @param lazy whether the application starts while the store is away, and connects in the background
 * @param namespace the locks of applications with the same namespace exclude each other
 * @param applicationName what holders are called in descriptions; {@code spring.application.name} if it is missing
 * @param leaseTime how long a lock outlives a holder that has died
 * @param grace how long a Redis that may have forgotten locks grants nothing new; all clients of a namespace have to say the same
 * @param storeTimeout how long a call waits for a store that does not answer
 * @param connectTimeout how long connecting may take
 * @param commandTimeout after which time a server that says nothing counts as silent
 * @param maxLocalWaiters how many callers may wait for one name
 * @param strict whether a store whose settings endanger locks is refused
 * @param locked the defaults of locked methods
 * @param jobs how methods that are jobs run
 * @since 0.1
 */
@ConfigurationProperties("baton")
public record BatonProperties(
        @Nullable String uri,
        @DefaultValue("true") boolean lazy,
        @DefaultValue("baton") String namespace,
        @Nullable String applicationName,
        @DefaultValue("30s") Duration leaseTime,
        @DefaultValue("60s") Duration grace,
        @DefaultValue("10s") Duration storeTimeout,
        @DefaultValue("2s") Duration connectTimeout,
        @DefaultValue("5s") Duration commandTimeout,
        @DefaultValue("10000") int maxLocalWaiters,
        @DefaultValue("false") boolean strict,
        @DefaultValue LockedDefaults locked,
        @DefaultValue Jobs jobs) {
    /**
     * The defaults of locked methods.
     *
     * @param waitFor how long a caller waits for the lock
     */
    public record LockedDefaults(@DefaultValue("10s") Duration waitFor) {}

    /**
     * How methods that are jobs run.
     *
     * @param enabled whether they run at their times
     * @param awaitTermination how long the application, when it closes, waits for runs that work, before it interrupts them
     * @param downWhenOverdue for how long a job may be overdue until health is down; if it is missing, health stays as it is
     */
    public record Jobs(
            @DefaultValue("true") boolean enabled,
            @DefaultValue("20s") Duration awaitTermination,
            @Nullable Duration downWhenOverdue) {}

    /**
     * Returns a text for users. The address may contain a password, and is left out.
     *
     * @return namespace and whether the client is lazy
     */
    @Override
    public String toString() {
        return "BatonProperties[namespace=" + namespace + ", lazy=" + lazy + ']';
    }

    /** Returns the options that these properties say. */
    BatonOptions.Builder options() {
        BatonOptions.Builder options = BatonOptions.builder()
                .namespace(namespace)
                .leaseTime(leaseTime)
                .grace(grace)
                .storeTimeout(storeTimeout)
                .connectTimeout(connectTimeout)
                .commandTimeout(commandTimeout)
                .maxLocalWaiters(maxLocalWaiters)
                .closeOnShutdown(false)
                .strict(strict);
        if (applicationName != null) {
            options.applicationName(applicationName);
        }
        return options;
    }
}
