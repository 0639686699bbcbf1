package dev.baton.spi;

import java.time.Duration;

/**
 * What a store can and cannot do. It drives the engine, the contract suite and the table in the README.
 *
 * @param store the store's name for people
 * @param reach how far its locks reach
 * @param queue whether waiters are served first come, first served, across clients
 * @param push whether grants are pushed; otherwise the engine asks
 * @param durable whether acknowledged holds survive a restart of the store
 * @param idempotentAttempts whether an attempt may be sent twice; otherwise an unanswered one must be cancelled
 * @param reclaim whether living holders can put holds back after the store forgot
 * @param tokens what its tokens promise
 * @param shortestLease the shortest lease time it can keep
 */
public record Capabilities(
        String store,
        Reach reach,
        boolean queue,
        boolean push,
        boolean durable,
        boolean idempotentAttempts,
        boolean reclaim,
        TokenOrder tokens,
        Duration shortestLease) {

    /** How far a store's locks reach. */
    public enum Reach {
        /** The threads of one JVM. */
        JVM,
        /** The processes of one machine. */
        HOST,
        /** Every machine that reaches the store. */
        NETWORK
    }

    /** What tokens promise. */
    public enum TokenOrder {
        /** They grow while the store keeps its data, and across data loss unless its clock steps back as well. */
        HYBRID,
        /** They grow as long as the store's consensus keeps its log. */
        CONSENSUS,
        /** They usually grow. */
        BEST_EFFORT
    }
}
