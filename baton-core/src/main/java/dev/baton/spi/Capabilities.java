package dev.baton.spi;

import java.time.Duration;
import java.util.Arrays;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * What a store can and cannot do. The engine, the contract suite and the table in the README follow it. Immutable and
 * thread-safe; two instances with the same values are equal.
 *
 * @since 0.1
 */
public final class Capabilities {
    private final String store;
    private final Reach reach;
    private final boolean shares;
    private final boolean notes;
    private final boolean queue;
    private final boolean push;
    private final boolean durable;
    private final boolean idempotentAttempts;
    private final boolean reclaim;
    private final boolean confirmsHandOffs;
    private final TokenOrder tokens;
    private final Duration shortestLease;
    private final @Nullable Duration session;

    private Capabilities(Builder from) {
        store = from.store;
        reach = from.reach;
        shares = from.shares;
        notes = from.notes;
        queue = from.queue;
        push = from.push;
        durable = from.durable;
        idempotentAttempts = from.idempotentAttempts;
        reclaim = from.reclaim;
        confirmsHandOffs = from.confirmsHandOffs;
        tokens = from.tokens;
        shortestLease = from.shortestLease;
        session = from.session;
    }

    /**
     * Returns a builder for a store without optional capabilities. Its tokens usually grow; its shortest lease is 100
     * ms.
     *
     * @param store the store's display name
     * @param reach how far its locks reach
     * @return a new builder
     */
    public static Builder builder(String store, Reach reach) {
        return new Builder(store, reach);
    }

    /**
     * Returns a builder with these capabilities.
     *
     * @return a new builder; changing it does not change these
     */
    public Builder toBuilder() {
        Builder builder = new Builder(store, reach);
        builder.shares = shares;
        builder.notes = notes;
        builder.queue = queue;
        builder.push = push;
        builder.durable = durable;
        builder.idempotentAttempts = idempotentAttempts;
        builder.reclaim = reclaim;
        builder.confirmsHandOffs = confirmsHandOffs;
        builder.tokens = tokens;
        builder.shortestLease = shortestLease;
        builder.session = session;
        return builder;
    }

    /**
     * Returns the store's display name.
     *
     * @return the name for tables and messages
     */
    public String store() {
        return store;
    }

    /**
     * Returns how far the store's locks reach.
     *
     * @return one JVM, one machine or the network
     */
    public Reach reach() {
        return reach;
    }

    /**
     * Returns whether the store has read-write locks and semaphores; otherwise it has only locks.
     *
     * @return true if so
     */
    public boolean shares() {
        return shares;
    }

    /**
     * Returns whether the store keeps notes, which jobs and elections need.
     *
     * @return true if so
     */
    public boolean notes() {
        return notes;
    }

    /**
     * Returns whether the store serves waiters first come, first served, across clients.
     *
     * @return true if so
     */
    public boolean queue() {
        return queue;
    }

    /**
     * Returns whether the store pushes grants; otherwise the engine polls.
     *
     * @return true if so
     */
    public boolean push() {
        return push;
    }

    /**
     * Returns whether acknowledged holds survive a restart of the store.
     *
     * @return true if so
     */
    public boolean durable() {
        return durable;
    }

    /**
     * Returns whether an attempt may be sent twice; otherwise an attempt without an answer must be cancelled.
     *
     * @return true if so
     */
    public boolean idempotentAttempts() {
        return idempotentAttempts;
    }

    /**
     * Returns whether live holders can restore their holds after the store has lost them.
     *
     * @return true if so
     */
    public boolean reclaim() {
        return reclaim;
    }

    /**
     * Returns whether a hand-off counts only when the hold's first heartbeat was answered. Grants that a store hands to a
     * waiting client may be lost in a failover, even if the store waits for its replicas before it answers a command: the
     * release that handed them off may not have been answered yet. Such a store answers a heartbeat that extends or claims
     * a hold only when the replicas have it.
     *
     * @return true if so
     */
    public boolean confirmsHandOffs() {
        return confirmsHandOffs;
    }

    /**
     * Returns the order that the store's tokens keep.
     *
     * @return the order
     */
    public TokenOrder tokens() {
        return tokens;
    }

    /**
     * Returns the shortest lease time that the store can keep.
     *
     * @return the time
     */
    public Duration shortestLease() {
        return shortestLease;
    }

    /**
     * Returns how long a client's session is certain to live after the client's last answered command, if holds and
     * tickets belong to a session and end with it. Each client then keeps its own deadlines, and other clients do not
     * see them.
     *
     * @return the time, or null if the store's own clock keeps deadlines
     */
    public @Nullable Duration session() {
        return session;
    }

    private List<@Nullable Object> values() {
        return Arrays.asList(
                store,
                reach,
                shares,
                notes,
                queue,
                push,
                durable,
                idempotentAttempts,
                reclaim,
                confirmsHandOffs,
                tokens,
                shortestLease,
                session);
    }

    @Override
    public boolean equals(@Nullable Object other) {
        return other instanceof Capabilities that && values().equals(that.values());
    }

    @Override
    public int hashCode() {
        return values().hashCode();
    }

    @Override
    public String toString() {
        return "Capabilities" + inWords();
    }

    /**
     * Returns the capabilities in words: the only source of these words for the table of the stores and for reports. They do
     * not name {@link #confirmsHandOffs}, which is no promise.
     *
     * @return values by titles, in the order of the table; the store's name first
     */
    public Map<String, String> inWords() {
        Map<String, String> words = new LinkedHashMap<>();
        words.put("Store", store);
        words.put("Reach", reach.words);
        words.put("Read-write locks, semaphores", yesOrNo(shares));
        words.put("Notes, jobs, elections", yesOrNo(notes));
        words.put("Queue (first come, first served)", yesOrNo(queue));
        words.put("Wake-up (pushed / asked)", push ? "pushed" : "asked");
        words.put("Survives restart", yesOrNo(durable));
        words.put("Tokens", tokens.words);
        words.put("Shortest lease", shortestLease.toMillis() + " ms");
        words.put("A dead holder's lock ends", session == null ? "with its lease" : "with its session");
        return Collections.unmodifiableMap(words);
    }

    private static String yesOrNo(boolean value) {
        return value ? "yes" : "no";
    }

    /** How far a store's locks reach. */
    public enum Reach {
        /** The threads of one JVM. */
        JVM("one JVM"),
        /** The processes of one machine. */
        HOST("one machine"),
        /** Every machine that reaches the store. */
        NETWORK("network");

        private final String words;

        Reach(String words) {
            this.words = words;
        }
    }

    /** The order that store tokens keep. */
    public enum TokenOrder {
        /** They grow while the store keeps its data, and across data loss unless its clock steps back as well. */
        HYBRID("grow; after data loss by the clock"),
        /** They grow as long as the store's consensus keeps its log. */
        CONSENSUS("grow; as long as the log is kept"),
        /** They usually grow. */
        BEST_EFFORT("usually grow");

        private final String words;

        TokenOrder(String words) {
            this.words = words;
        }
    }

    /** Collects capabilities. Not thread-safe. */
    public static final class Builder {
        private final String store;
        private final Reach reach;
        private boolean shares;
        private boolean notes;
        private boolean queue;
        private boolean push;
        private boolean durable;
        private boolean idempotentAttempts;
        private boolean reclaim;
        private boolean confirmsHandOffs;
        private TokenOrder tokens = TokenOrder.BEST_EFFORT;
        private Duration shortestLease = Duration.ofMillis(100);
        private @Nullable Duration session;

        private Builder(String store, Reach reach) {
            this.store = store;
            this.reach = reach;
        }

        /**
         * Sets whether the store has read-write locks and semaphores; otherwise it has only locks.
         *
         * @param value true if so
         * @return this builder
         */
        public Builder shares(boolean value) {
            shares = value;
            return this;
        }

        /**
         * Sets whether the store keeps notes.
         *
         * @param value true if so
         * @return this builder
         */
        public Builder notes(boolean value) {
            notes = value;
            return this;
        }

        /**
         * Sets whether the store serves waiters first come, first served, across clients.
         *
         * @param value true if so
         * @return this builder
         */
        public Builder queue(boolean value) {
            queue = value;
            return this;
        }

        /**
         * Sets whether the store pushes grants; otherwise the engine polls.
         *
         * @param value true if so
         * @return this builder
         */
        public Builder push(boolean value) {
            push = value;
            return this;
        }

        /**
         * Sets whether acknowledged holds survive a restart of the store.
         *
         * @param value true if so
         * @return this builder
         */
        public Builder durable(boolean value) {
            durable = value;
            return this;
        }

        /**
         * Sets whether an attempt may be sent twice; otherwise an attempt without an answer must be cancelled.
         *
         * @param value true if so
         * @return this builder
         */
        public Builder idempotentAttempts(boolean value) {
            idempotentAttempts = value;
            return this;
        }

        /**
         * Sets whether live holders can restore their holds after the store has lost them.
         *
         * @param value true if so
         * @return this builder
         */
        public Builder reclaim(boolean value) {
            reclaim = value;
            return this;
        }

        /**
         * Sets whether a hand-off counts only when the hold's first heartbeat was answered.
         *
         * @param value true if so
         * @return this builder
         */
        public Builder confirmsHandOffs(boolean value) {
            confirmsHandOffs = value;
            return this;
        }

        /**
         * Sets the order that the store's tokens keep.
         *
         * @param value the order
         * @return this builder
         */
        public Builder tokens(TokenOrder value) {
            tokens = value;
            return this;
        }

        /**
         * Sets the shortest lease time that the store can keep.
         *
         * @param value the time; 100 ms by default
         * @return this builder
         */
        public Builder shortestLease(Duration value) {
            shortestLease = value;
            return this;
        }

        /**
         * Sets how long a client's session lives on after its last answered command, if holds end with it.
         *
         * @param value the time, or null if the store's own clock keeps deadlines
         * @return this builder
         */
        public Builder session(@Nullable Duration value) {
            session = value;
            return this;
        }

        /**
         * Returns the capabilities set so far.
         *
         * @return immutable capabilities
         */
        public Capabilities build() {
            return new Capabilities(this);
        }
    }
}
