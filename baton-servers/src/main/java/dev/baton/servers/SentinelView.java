package dev.baton.servers;

import java.io.IOException;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * What one sentinel says of a primary and its replicas.
 *
 * @param port of the primary
 * @param epoch of its promotion: the newest one is right
 * @param flags of the primary, such as {@code master,s_down}
 * @param sentinels how many others it knows
 * @param hasQuorum whether it reaches enough of them to begin a failover
 * @param replicas their state, such as {@code slave ok}
 */
record SentinelView(int port, long epoch, String flags, int sentinels, boolean hasQuorum, List<String> replicas) {
    private static final int LIMIT_MILLIS = 1_000;

    /**
     * Asks a sentinel.
     *
     * @param name of the primary
     * @throws IOException if it does not answer
     */
    static SentinelView of(RedisServer sentinel, String name) throws IOException {
        try (RespConnection connection = sentinel.connect(LIMIT_MILLIS)) {
            Map<String, String> primary = pairs(connection.call("SENTINEL", "MASTER", name));
            List<String> replicas = list(connection.call("SENTINEL", "REPLICAS", name)).stream()
                    .map(SentinelView::pairs)
                    .map(replica -> replica.get("flags") + " " + replica.get("master-link-status"))
                    .toList();
            // A promoted replica is the primary from its promotion on, and has the epoch when all replicas follow it.
            List<?> address = list(connection.call("SENTINEL", "GET-MASTER-ADDR-BY-NAME", name));
            return new SentinelView(
                    Integer.parseInt(String.valueOf(address.get(1))),
                    Long.parseLong(primary.getOrDefault("config-epoch", "0")),
                    primary.getOrDefault("flags", ""),
                    Integer.parseInt(primary.getOrDefault("num-other-sentinels", "0")),
                    hasQuorum(connection, name),
                    replicas);
        }
    }

    private static boolean hasQuorum(RespConnection sentinel, String name) throws IOException {
        try {
            return String.valueOf(sentinel.call("SENTINEL", "CKQUORUM", name)).startsWith("OK");
        } catch (RedisErrorReply noQuorum) {
            return false;
        }
    }

    boolean isFailingOver() {
        return flags.contains("failover_in_progress");
    }

    /** Returns whether all are up, and it knows this many others. */
    boolean isComplete(int otherSentinels, int allReplicas) {
        return flags.equals("master")
                && sentinels == otherSentinels
                && hasQuorum
                && replicas.size() == allReplicas
                && replicas.stream().allMatch("slave ok"::equals);
    }

    private static List<?> list(@Nullable Object reply) {
        return reply instanceof List<?> list ? list : List.of();
    }

    private static Map<String, String> pairs(@Nullable Object reply) {
        List<?> list = list(reply);
        Map<String, String> pairs = new HashMap<>();
        for (int i = 0; i + 1 < list.size(); i += 2) {
            pairs.put(Objects.toString(list.get(i)), Objects.toString(list.get(i + 1)));
        }
        return pairs;
    }
}
