package dev.baton.chaos.soak;

import java.net.URI;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import redis.clients.jedis.Jedis;
import redis.clients.jedis.exceptions.JedisException;

/**
 * Measures a Redis.
 *
 * @param uri its address
 */
record RedisGauge(String uri) implements Gauge {
    private static final int KIB = 1_024;

    @Override
    public Reading read() {
        try (Jedis jedis = new Jedis(URI.create(uri))) {
            String info = jedis.info();
            return new Reading(
                    word(info, "run_id"),
                    Map.of(
                            Quantity.SERVER_MEMORY,
                            Double.parseDouble(word(info, "used_memory")) / KIB,
                            Quantity.CONNECTIONS,
                            Double.parseDouble(word(info, "connected_clients")) - 1,
                            Quantity.ENTRIES,
                            (double) jedis.dbSize()));
        } catch (JedisException unreachable) {
            return Reading.NOTHING;
        }
    }

    private static String word(String info, String key) {
        Matcher line = Pattern.compile("(?m)^" + key + ":(\\S+)").matcher(info);
        if (!line.find()) {
            throw new IllegalStateException("Redis says nothing of " + key);
        }
        return line.group(1);
    }
}
