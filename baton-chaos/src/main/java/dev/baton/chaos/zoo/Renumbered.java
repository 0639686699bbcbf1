package dev.baton.chaos.zoo;

import static dev.baton.spi.Protocol.clockToken;

import dev.baton.spi.Heartbeat;
import dev.baton.spi.StoreFailure;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import redis.clients.jedis.exceptions.JedisException;

/** The tokens that the engine sees, and those of the store. Thread-safe. */
final class Renumbered {
    /** Where a server keeps when it started. */
    private static final String KEY_START = "zoo-start";

    private final BatonDesign.Numbers numbers;
    private final Redis redis;
    private final Map<String, Long> starts = new ConcurrentHashMap<>();
    private final Map<Long, Long> realTokens = new ConcurrentHashMap<>();

    Renumbered(BatonDesign.Numbers numbers, Redis redis) {
        this.numbers = numbers;
        this.redis = redis;
    }

    private boolean isPlain() {
        return numbers == BatonDesign.Numbers.OF_THE_STORE;
    }

    boolean knows(String run) {
        return isPlain() || starts.containsKey(run);
    }

    /** Learns when a server started, or what its first client says. */
    void learn(String run) throws StoreFailure {
        if (knows(run)) {
            return;
        }
        try {
            // A second before, as a token may be older than this.
            long now = clockToken(redis.micros() - 1_000_000);
            starts.put(run, Long.valueOf(redis.setOnce(KEY_START, Long.toString(now))));
        } catch (JedisException unanswered) {
            throw new StoreFailure(StoreFailure.Effect.UNKNOWN, "nothing is known of " + run, unanswered);
        }
    }

    long shown(long attempt, long token, String run) {
        if (isPlain()) {
            return token;
        }
        realTokens.put(attempt, token);
        return token - starts.getOrDefault(run, 0L);
    }

    Heartbeat.TicketReply shown(long attempt, Heartbeat.TicketReply reply, String run) {
        return reply instanceof Heartbeat.TicketGranted granted
                ? new Heartbeat.TicketGranted(shown(attempt, granted.token(), run), granted.deadlineMicros())
                : reply;
    }

    long real(long attempt, long token) {
        return realTokens.getOrDefault(attempt, token);
    }
}
