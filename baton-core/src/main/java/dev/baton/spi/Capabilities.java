package dev.baton.spi;

import java.time.Duration;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * What a store can and cannot do. It drives the engine, the contract suite and the table in the README.
 *
 * @param store the store's name for people
 * @param reach how far its locks reach
 * @param shares whether it has read-write locks and semaphores; otherwise it has only locks
 * @param queue whether waiters are served first come, first served, across clients
 * @param push whether grants are pushed; otherwise the engine asks
 * @param durable whether acknowledged holds survive a restart of the store
 * @param idempotentAttempts whether an attempt may be sent twice; otherwise an unanswered one must be cancelled
 * @param reclaim whether living holders can put holds back after the store forgot
 * @param tokens what its tokens promise
 * @param shortestLease the shortest lease time it can keep
 * @param session where holds and tickets belong to a session of their client, and end with it: how long after the
 *     client's last answered command the session lives on for certain. Deadlines are then kept by the client that they
 *     are of, and no other sees them. Null where the store's own clock keeps them
 */
public record Capabilities(
        String store,
        Reach reach,
        boolean shares,
        boolean queue,
        boolean push,
        boolean durable,
        boolean idempotentAttempts,
        boolean reclaim,
        TokenOrder tokens,
        Duration shortestLease,
        @Nullable Duration session) {

    /**
     * The same in words: the one place where they are, for the README's table and for reports.
     *
     * @return values by titles, in the order of the table; the store's name first
     */
    public Map<String, String> inWords() {
        Map<String, String> words = new LinkedHashMap<>();
        words.put("Store", store);
        words.put("Reach", reach.words);
        words.put("Read-write locks, semaphores", yesOrNo(shares));
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

    /** What tokens promise. */
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
}
