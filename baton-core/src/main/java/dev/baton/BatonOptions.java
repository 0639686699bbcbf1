package dev.baton;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.Executor;

/**
 * Options of a client. Immutable; start from {@link #defaults()} or {@link #builder()}.
 *
 * @param namespace prefix of everything stored: clients exclude each other only within one namespace
 * @param applicationName shown to people as part of the holders' descriptions
 * @param leaseTime how long a hold lives without renewal
 * @param storeTimeout how long an untimed call keeps asking a store that does not answer
 * @param connectTimeout how long connecting may take
 * @param serverSilence how long one command may take before it counts as unanswered
 * @param grace G, which all clients of a namespace must share: how long a client may believe in a hold without an
 *     answer, and how long nothing new is granted after the store may have forgotten
 * @param maxLocalWaiters how many callers of this client may wait for one name
 * @param traceAcquisitions whether to remember where each lease was taken, for the reports of abandoned leases and of
 *     threads that wait for themselves
 * @param closeOnShutdown whether to close when the JVM shuts down
 * @param strict whether {@code connect} refuses what it would otherwise warn of
 * @param resources objects of the store's driver that the application has already, such as an {@code SSLContext}; the
 *     store's page says which it takes
 * @param callbackExecutor where futures are completed, and where actions of asynchronous calls run with their hooks;
 *     empty for threads of the client's own. The listener and {@link Lease#onLost} always have threads of the client's own
 * @param listener hears of everything that happens; empty for nobody
 */
public record BatonOptions(
        String namespace,
        String applicationName,
        Duration leaseTime,
        Duration storeTimeout,
        Duration connectTimeout,
        Duration serverSilence,
        Duration grace,
        int maxLocalWaiters,
        boolean traceAcquisitions,
        boolean closeOnShutdown,
        boolean strict,
        List<Object> resources,
        Optional<Executor> callbackExecutor,
        Optional<BatonListener> listener) {

    /** {@code baton}: short, because it stands before every name. */
    public static final String DEFAULT_NAMESPACE = "baton";
    /** 30 s: longer than any pause of a healthy process, shorter than a page to the person on call. */
    public static final Duration DEFAULT_LEASE_TIME = Duration.ofSeconds(30);
    /** 10 s: a restart or failover of most stores fits in. */
    public static final Duration DEFAULT_STORE_TIMEOUT = Duration.ofSeconds(10);
    /** 2 s: a server that takes longer to accept a connection is not fit to renew leases. */
    public static final Duration DEFAULT_CONNECT_TIMEOUT = Duration.ofSeconds(2);
    /** 5 s: half a renewal period, so that a renewal can be repeated before the lease ends. */
    public static final Duration DEFAULT_SERVER_SILENCE = Duration.ofSeconds(5);
    /** 60 s: a failover is over by then, and people can wait it out. */
    public static final Duration DEFAULT_GRACE = Duration.ofSeconds(60);
    /** 10,000: more callers waiting for one name are a fault to be told, not a queue to be grown. */
    public static final int DEFAULT_MAX_LOCAL_WAITERS = 10_000;

    /** 1 s: heartbeats come three times within it. */
    private static final Duration SHORTEST_GRACE = Duration.ofSeconds(1);

    /** It goes with every acquisition, and is shown in tables. */
    private static final int MAX_APPLICATION_NAME = 200;

    private static final Duration LONGEST = Duration.ofDays(365);

    /** Refuses what makes no sense. */
    public BatonOptions {
        if (namespace.isEmpty() || namespace.length() > 64 || !namespace.matches("[A-Za-z0-9_.-]+")) {
            throw new IllegalArgumentException(
                    "namespace must be 1 to 64 letters, digits, '_', '.' or '-', but is \"" + namespace + '"');
        }
        if (applicationName.length() > MAX_APPLICATION_NAME) {
            throw new IllegalArgumentException("applicationName must have at most " + MAX_APPLICATION_NAME
                    + " characters, but has " + applicationName.length());
        }
        resources = List.copyOf(resources);
        requirePositive(leaseTime, "leaseTime");
        requirePositive(storeTimeout, "storeTimeout");
        requirePositive(connectTimeout, "connectTimeout");
        requirePositive(serverSilence, "serverSilence");
        requirePositive(grace, "grace");
        if (grace.compareTo(SHORTEST_GRACE) < 0) {
            throw new IllegalArgumentException("grace must be at least " + SHORTEST_GRACE + ", but is " + grace);
        }
        if (maxLocalWaiters < 1) {
            throw new IllegalArgumentException("maxLocalWaiters must be at least 1, but is " + maxLocalWaiters);
        }
    }

    /**
     * The defaults.
     *
     * @return options with every default
     */
    public static BatonOptions defaults() {
        return builder().build();
    }

    /**
     * A builder with every default.
     *
     * @return a new builder
     */
    public static Builder builder() {
        return new Builder();
    }

    private static void requirePositive(Duration value, String what) {
        if (value.isNegative() || value.isZero()) {
            throw new IllegalArgumentException(what + " must be positive, but is " + value);
        }
        if (value.compareTo(LONGEST) > 0) {
            throw new IllegalArgumentException(what + " must be at most " + LONGEST.toDays() + " days");
        }
    }

    /** Collects options; checked by {@link #build}. Not thread-safe. */
    public static final class Builder {
        private String namespace = DEFAULT_NAMESPACE;
        private String applicationName = "";
        private Duration leaseTime = DEFAULT_LEASE_TIME;
        private Duration storeTimeout = DEFAULT_STORE_TIMEOUT;
        private Duration connectTimeout = DEFAULT_CONNECT_TIMEOUT;
        private Duration serverSilence = DEFAULT_SERVER_SILENCE;
        private Duration grace = DEFAULT_GRACE;
        private int maxLocalWaiters = DEFAULT_MAX_LOCAL_WAITERS;
        private boolean traceAcquisitions = true;
        private boolean closeOnShutdown;
        private boolean strict;
        private final List<Object> resources = new ArrayList<>();
        private Optional<Executor> callbackExecutor = Optional.empty();
        private Optional<BatonListener> listener = Optional.empty();

        private Builder() {}

        /**
         * Sets the namespace.
         *
         * @param value 1 to 64 letters, digits, '_', '.' or '-'
         * @return this builder
         */
        public Builder namespace(String value) {
            namespace = value;
            return this;
        }

        /**
         * Sets the application's name.
         *
         * @param value for people; at most 200 characters, may be empty
         * @return this builder
         */
        public Builder applicationName(String value) {
            applicationName = value;
            return this;
        }

        /**
         * Sets the lease time of renewed leases.
         *
         * @param value positive, at least the store's shortest lease
         * @return this builder
         */
        public Builder leaseTime(Duration value) {
            leaseTime = value;
            return this;
        }

        /**
         * Sets how long an untimed call keeps asking.
         *
         * @param value positive
         * @return this builder
         */
        public Builder storeTimeout(Duration value) {
            storeTimeout = value;
            return this;
        }

        /**
         * Sets how long connecting may take.
         *
         * @param value positive
         * @return this builder
         */
        public Builder connectTimeout(Duration value) {
            connectTimeout = value;
            return this;
        }

        /**
         * Sets how long one command may take.
         *
         * @param value positive
         * @return this builder
         */
        public Builder serverSilence(Duration value) {
            serverSilence = value;
            return this;
        }

        /**
         * Sets G. All clients of a namespace must use the same.
         *
         * @param value positive
         * @return this builder
         */
        public Builder grace(Duration value) {
            grace = value;
            return this;
        }

        /**
         * Sets how many callers may wait for one name.
         *
         * @param value at least 1
         * @return this builder
         */
        public Builder maxLocalWaiters(int value) {
            maxLocalWaiters = value;
            return this;
        }

        /**
         * Sets whether to remember where each lease was taken.
         *
         * @param value true to remember
         * @return this builder
         */
        public Builder traceAcquisitions(boolean value) {
            traceAcquisitions = value;
            return this;
        }

        /**
         * Sets whether to close when the JVM shuts down.
         *
         * @param value true to close
         * @return this builder
         */
        public Builder closeOnShutdown(boolean value) {
            closeOnShutdown = value;
            return this;
        }

        /**
         * Sets whether to refuse what would otherwise be warned of.
         *
         * @param value true to refuse
         * @return this builder
         */
        public Builder strict(boolean value) {
            strict = value;
            return this;
        }

        /**
         * Brings an object of the store's driver that the application has already. May be called again for another.
         *
         * @param value for Redis, a {@code javax.net.ssl.SSLContext} or Jedis's {@code JedisClientConfig}
         * @return this builder
         */
        public Builder resource(Object value) {
            resources.add(Objects.requireNonNull(value, "resource"));
            return this;
        }

        /**
         * Sets where futures are completed and actions of asynchronous calls run. One thread of the client's own calls the
         * executor. While a call of it lasts longer than 500 ms, when it throws, and when it runs a task in the calling
         * thread, futures complete on threads of the client's own instead; an action that it refuses fails.
         *
         * @param value should have as many threads as continuations that block at the same time
         * @return this builder
         */
        public Builder callbackExecutor(Executor value) {
            callbackExecutor = Optional.of(value);
            return this;
        }

        /**
         * Sets who hears of everything that happens.
         *
         * @param value the listener
         * @return this builder
         */
        public Builder listener(BatonListener value) {
            listener = Optional.of(value);
            return this;
        }

        /**
         * Checks and builds.
         *
         * @return the options
         * @throws IllegalArgumentException naming the first option that makes no sense
         */
        public BatonOptions build() {
            return new BatonOptions(
                    namespace,
                    applicationName,
                    leaseTime,
                    storeTimeout,
                    connectTimeout,
                    serverSilence,
                    grace,
                    maxLocalWaiters,
                    traceAcquisitions,
                    closeOnShutdown,
                    strict,
                    resources,
                    callbackExecutor,
                    listener);
        }
    }
}
