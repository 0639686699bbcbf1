package dev.baton;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.Executor;

/**
 * Options of a client. Immutable and thread-safe; made by {@link #builder()}, {@link #toBuilder()} or {@link
 * #defaults()}.
 *
 * @since 0.1
 */
public final class BatonOptions {
    /** {@code baton}: short, because it stands before every name. */
    public static final String DEFAULT_NAMESPACE = "baton";
    /** 30 s: longer than any pause of a healthy process, shorter than a page to the person on call. */
    public static final Duration DEFAULT_LEASE_TIME = Duration.ofSeconds(30);
    /** 10 s: a restart or failover of most stores fits in. */
    public static final Duration DEFAULT_STORE_TIMEOUT = Duration.ofSeconds(10);
    /** 2 s: a server that takes longer to accept a connection is not fit to renew leases. */
    public static final Duration DEFAULT_CONNECT_TIMEOUT = Duration.ofSeconds(2);
    /** 5 s: half a renewal period, so that a renewal can be repeated before the lease ends. */
    public static final Duration DEFAULT_COMMAND_TIMEOUT = Duration.ofSeconds(5);
    /** 60 s: longer than most failovers, short enough to wait for. */
    public static final Duration DEFAULT_GRACE = Duration.ofSeconds(60);
    /** 10,000: more callers waiting for one name are a fault to be told, not a queue to be grown. */
    public static final int DEFAULT_MAX_LOCAL_WAITERS = 10_000;

    /** 1 s: heartbeats come three times within it. */
    private static final Duration SHORTEST_GRACE = Duration.ofSeconds(1);

    /** It goes with every acquisition, and is shown in tables. */
    private static final int MAX_APPLICATION_NAME = 200;

    private static final Duration LONGEST = Duration.ofDays(365);

    private final String namespace;
    private final String applicationName;
    private final Duration leaseTime;
    private final Duration storeTimeout;
    private final Duration connectTimeout;
    private final Duration commandTimeout;
    private final Duration grace;
    private final int maxLocalWaiters;
    private final boolean traceAcquisitions;
    private final boolean releaseInBackground;
    private final boolean closeOnShutdown;
    private final boolean strict;
    private final List<Object> driverObjects;
    private final Optional<Executor> callbackExecutor;
    private final Optional<BatonListener> listener;

    private BatonOptions(Builder from) {
        namespace = from.namespace;
        applicationName = from.applicationName;
        leaseTime = from.leaseTime;
        storeTimeout = from.storeTimeout;
        connectTimeout = from.connectTimeout;
        commandTimeout = from.commandTimeout;
        grace = from.grace;
        maxLocalWaiters = from.maxLocalWaiters;
        traceAcquisitions = from.traceAcquisitions;
        releaseInBackground = from.releaseInBackground;
        closeOnShutdown = from.closeOnShutdown;
        strict = from.strict;
        driverObjects = List.copyOf(from.driverObjects);
        callbackExecutor = from.callbackExecutor;
        listener = from.listener;
        requireValid();
    }

    private void requireValid() {
        if (namespace.isEmpty() || namespace.length() > 64 || !namespace.matches("[A-Za-z0-9_.-]+")) {
            throw new IllegalArgumentException(
                    "namespace must be 1 to 64 letters, digits, '_', '.' or '-', but is \"" + namespace + '"');
        }
        if (applicationName.length() > MAX_APPLICATION_NAME) {
            throw new IllegalArgumentException("applicationName must have at most " + MAX_APPLICATION_NAME
                    + " characters, but has " + applicationName.length());
        }
        requirePositive(leaseTime, "leaseTime");
        requirePositive(storeTimeout, "storeTimeout");
        requirePositive(connectTimeout, "connectTimeout");
        requirePositive(commandTimeout, "commandTimeout");
        requirePositive(grace, "grace");
        if (grace.compareTo(SHORTEST_GRACE) < 0) {
            throw new IllegalArgumentException("grace must be at least " + SHORTEST_GRACE + ", but is " + grace);
        }
        if (maxLocalWaiters < 1) {
            throw new IllegalArgumentException("maxLocalWaiters must be at least 1, but is " + maxLocalWaiters);
        }
    }

    private static void requirePositive(Duration value, String what) {
        if (value.isNegative() || value.isZero()) {
            throw new IllegalArgumentException(what + " must be positive, but is " + value);
        }
        if (value.compareTo(LONGEST) > 0) {
            throw new IllegalArgumentException(what + " must be at most " + LONGEST.toDays() + " days");
        }
    }

    /**
     * Returns options with every default.
     *
     * @return the defaults
     */
    public static BatonOptions defaults() {
        return builder().build();
    }

    /**
     * Returns a builder with every default.
     *
     * @return a new builder
     */
    public static Builder builder() {
        return new Builder();
    }

    /**
     * Returns a builder with the values of these options.
     *
     * @return a new builder; changing it does not change these options
     */
    public Builder toBuilder() {
        Builder builder = new Builder();
        builder.namespace = namespace;
        builder.applicationName = applicationName;
        builder.leaseTime = leaseTime;
        builder.storeTimeout = storeTimeout;
        builder.connectTimeout = connectTimeout;
        builder.commandTimeout = commandTimeout;
        builder.grace = grace;
        builder.maxLocalWaiters = maxLocalWaiters;
        builder.traceAcquisitions = traceAcquisitions;
        builder.releaseInBackground = releaseInBackground;
        builder.closeOnShutdown = closeOnShutdown;
        builder.strict = strict;
        builder.driverObjects.addAll(driverObjects);
        builder.callbackExecutor = callbackExecutor;
        builder.listener = listener;
        return builder;
    }

    /**
     * Returns the prefix of everything that the client stores. Clients exclude each other only within one namespace.
     *
     * @return the namespace
     */
    public String namespace() {
        return namespace;
    }

    /**
     * Returns the name that is part of each holder's description.
     *
     * @return the application's name; may be empty
     */
    public String applicationName() {
        return applicationName;
    }

    /**
     * Returns how long a hold lives without renewal.
     *
     * @return the lease time of renewed leases
     */
    public Duration leaseTime() {
        return leaseTime;
    }

    /**
     * Returns how long an untimed call retries while the store does not answer.
     *
     * @return the store timeout
     */
    public Duration storeTimeout() {
        return storeTimeout;
    }

    /**
     * Returns how long connecting may take.
     *
     * @return the connect timeout
     */
    public Duration connectTimeout() {
        return connectTimeout;
    }

    /**
     * Returns how long one command may take before it counts as unanswered.
     *
     * @return the command timeout
     */
    public Duration commandTimeout() {
        return commandTimeout;
    }

    /**
     * Returns G: how long a client may believe in a hold without an answer, and how long the store grants nothing new
     * after it may have forgotten.
     *
     * @return G
     */
    public Duration grace() {
        return grace;
    }

    /**
     * Returns how many callers of this client may wait for one name.
     *
     * @return the limit
     */
    public int maxLocalWaiters() {
        return maxLocalWaiters;
    }

    /**
     * Returns whether the client remembers where each lease was acquired. Reports of abandoned leases and of threads
     * that wait for themselves show it.
     *
     * @return true if it does
     */
    public boolean traceAcquisitions() {
        return traceAcquisitions;
    }

    /**
     * Returns whether {@link Lease#close} returns before the store has answered.
     *
     * @return true if it does
     */
    public boolean releaseInBackground() {
        return releaseInBackground;
    }

    /**
     * Returns whether the client closes when the JVM shuts down.
     *
     * @return true if it does
     */
    public boolean closeOnShutdown() {
        return closeOnShutdown;
    }

    /**
     * Returns whether {@code connect} refuses a store that it would otherwise warn of.
     *
     * @return true if it refuses
     */
    public boolean strict() {
        return strict;
    }

    /**
     * Returns the objects of the store's driver that the application supplies, such as an {@code SSLContext}. The
     * store's page says which ones it takes.
     *
     * @return an unmodifiable list
     */
    public List<Object> driverObjects() {
        return driverObjects;
    }

    /**
     * Returns the executor that completes futures, and runs actions of asynchronous calls with their hooks. The
     * listener and {@link Lease#onLost} always run on threads of the client.
     *
     * @return the executor, or empty for threads of the client
     */
    public Optional<Executor> callbackExecutor() {
        return callbackExecutor;
    }

    /**
     * Returns the listener that receives every event.
     *
     * @return the listener, or empty if there is none
     */
    public Optional<BatonListener> listener() {
        return listener;
    }

    /**
     * Describes the options in one line. Driver objects are counted, not shown: they may contain secrets.
     *
     * @return a readable text
     */
    @Override
    public String toString() {
        return "BatonOptions[namespace=" + namespace
                + ", applicationName=" + applicationName
                + ", leaseTime=" + leaseTime
                + ", storeTimeout=" + storeTimeout
                + ", connectTimeout=" + connectTimeout
                + ", commandTimeout=" + commandTimeout
                + ", grace=" + grace
                + ", maxLocalWaiters=" + maxLocalWaiters
                + ", traceAcquisitions=" + traceAcquisitions
                + ", releaseInBackground=" + releaseInBackground
                + ", closeOnShutdown=" + closeOnShutdown
                + ", strict=" + strict
                + ", driverObjects=" + driverObjects.size()
                + ", callbackExecutor=" + callbackExecutor.isPresent()
                + ", listener=" + listener.isPresent() + ']';
    }

    /** Collects options; {@link #build} checks them. Not thread-safe. */
    public static final class Builder {
        private String namespace = DEFAULT_NAMESPACE;
        private String applicationName = "";
        private Duration leaseTime = DEFAULT_LEASE_TIME;
        private Duration storeTimeout = DEFAULT_STORE_TIMEOUT;
        private Duration connectTimeout = DEFAULT_CONNECT_TIMEOUT;
        private Duration commandTimeout = DEFAULT_COMMAND_TIMEOUT;
        private Duration grace = DEFAULT_GRACE;
        private int maxLocalWaiters = DEFAULT_MAX_LOCAL_WAITERS;
        private boolean traceAcquisitions = true;
        private boolean releaseInBackground;
        private boolean closeOnShutdown;
        private boolean strict;
        private final List<Object> driverObjects = new ArrayList<>();
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
            namespace = Objects.requireNonNull(value, "namespace");
            return this;
        }

        /**
         * Sets the application's name.
         *
         * @param value at most 200 characters; may be empty
         * @return this builder
         */
        public Builder applicationName(String value) {
            applicationName = Objects.requireNonNull(value, "applicationName");
            return this;
        }

        /**
         * Sets the lease time of renewed leases.
         *
         * @param value positive, at least the store's shortest lease
         * @return this builder
         */
        public Builder leaseTime(Duration value) {
            leaseTime = Objects.requireNonNull(value, "leaseTime");
            return this;
        }

        /**
         * Sets how long an untimed call retries while the store does not answer.
         *
         * @param value positive
         * @return this builder
         */
        public Builder storeTimeout(Duration value) {
            storeTimeout = Objects.requireNonNull(value, "storeTimeout");
            return this;
        }

        /**
         * Sets how long connecting may take.
         *
         * @param value positive
         * @return this builder
         */
        public Builder connectTimeout(Duration value) {
            connectTimeout = Objects.requireNonNull(value, "connectTimeout");
            return this;
        }

        /**
         * Sets how long one command may take before it counts as unanswered.
         *
         * @param value positive
         * @return this builder
         */
        public Builder commandTimeout(Duration value) {
            commandTimeout = Objects.requireNonNull(value, "commandTimeout");
            return this;
        }

        /**
         * Sets G. All clients of a namespace must use the same value.
         *
         * @param value at least one second
         * @return this builder
         */
        public Builder grace(Duration value) {
            grace = Objects.requireNonNull(value, "grace");
            return this;
        }

        /**
         * Sets how many callers of this client may wait for one name.
         *
         * @param value at least 1
         * @return this builder
         */
        public Builder maxLocalWaiters(int value) {
            maxLocalWaiters = value;
            return this;
        }

        /**
         * Sets whether the client remembers where each lease was acquired.
         *
         * @param value true to remember
         * @return this builder
         */
        public Builder traceAcquisitions(boolean value) {
            traceAcquisitions = value;
            return this;
        }

        /**
         * Sets whether {@link Lease#close} returns before the store has answered, for servers that are far away: the
         * caller waits for one round trip less. {@link Lease#release} still waits. The price: when
         * {@code close} returns, the store may have the lock still, for a round trip or longer, so another client may
         * find it held; if the process ends at that moment, until the lease ends. This client's next acquisition of the
         * same name waits for the answer. A release without an answer is repeated, as always. The default is false.
         *
         * @param value true not to wait
         * @return this builder
         */
        public Builder releaseInBackground(boolean value) {
            releaseInBackground = value;
            return this;
        }

        /**
         * Sets whether the client closes when the JVM shuts down.
         *
         * @param value true to close
         * @return this builder
         */
        public Builder closeOnShutdown(boolean value) {
            closeOnShutdown = value;
            return this;
        }

        /**
         * Sets whether {@code connect} refuses a store that it would otherwise warn of.
         *
         * @param value true to refuse
         * @return this builder
         */
        public Builder strict(boolean value) {
            strict = value;
            return this;
        }

        /**
         * Adds an object of the store's driver that the application has already. May be called again for another one.
         *
         * @param value for Redis, a {@code javax.net.ssl.SSLContext} or Jedis's {@code JedisClientConfig}
         * @return this builder
         */
        public Builder driverObject(Object value) {
            driverObjects.add(Objects.requireNonNull(value, "driverObject"));
            return this;
        }

        /**
         * Sets the executor that completes futures and runs actions of asynchronous calls. One thread of the client
         * calls it. While a call of it lasts longer than 500 ms, when it throws, and when it runs a task in the calling
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
         * Sets the listener that receives every event.
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
            return new BatonOptions(this);
        }
    }
}
