package dev.baton.redis;

import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import redis.clients.jedis.HostAndPort;

/**
 * What a sentinel says about the servers of one name.
 *
 * @param primary the address of the primary, as it was announced
 * @param epoch of the configuration: each failover has a greater one
 * @param replicas how many replicas the sentinel knows
 * @param others how many other sentinels it knows
 * @param down whether it takes the primary for dead, so that a failover may follow
 */
record SentinelReply(HostAndPort primary, long epoch, int replicas, int others, boolean down) {
    /**
     * Reads the answer to {@code SENTINEL MASTER}.
     *
     * @param words names and values in turn
     * @return null if it makes no sense
     */
    static @Nullable SentinelReply of(List<String> words) {
        Map<String, String> fields = new HashMap<>();
        for (int i = 0; i + 1 < words.size(); i += 2) {
            fields.put(words.get(i), words.get(i + 1));
        }
        String host = fields.getOrDefault("ip", "");
        try {
            int port = Integer.parseInt(fields.getOrDefault("port", ""));
            long epoch = Long.parseLong(fields.getOrDefault("config-epoch", ""));
            int replicas = Integer.parseInt(fields.getOrDefault("num-slaves", "0"));
            int others = Integer.parseInt(fields.getOrDefault("num-other-sentinels", "0"));
            boolean down = fields.getOrDefault("flags", "").contains("_down");
            return host.isEmpty()
                    ? null
                    : new SentinelReply(new HostAndPort(host, port), epoch, replicas, others, down);
        } catch (NumberFormatException e) {
            return null;
        }
    }
}
