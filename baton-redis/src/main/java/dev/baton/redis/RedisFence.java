package dev.baton.redis;

import dev.baton.Lease;
import dev.baton.StaleTokenException;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import redis.clients.jedis.commands.ScriptingKeyCommands;
import redis.clients.jedis.exceptions.JedisDataException;

/**
 * Makes a lock exact for data in Redis: the data takes no write of a holder after a later holder has raised the fence,
 * whatever the two believe. It is raised first, before anything is read, and checked by every write, in one script with
 * it:
 *
 * <pre>{@code
 * RedisFence fence = new RedisFence(redis, "fence:{sku-42}");
 * try (Lease lease = lock.acquire()) {
 *     fence.raise(lease);
 *     long units = Long.parseLong(redis.get("units:{sku-42}"));
 *     fence.eval(lease, "return redis.call('SET', KEYS[1], ARGV[1])", List.of("units:{sku-42}"),
 *             List.of(Long.toString(units - 1)));
 * }
 * }</pre>
 *
 * <p>The fence is a key with the greatest token seen, as text. Nothing is locked by it: a holder that raises it reads
 * what all earlier ones wrote, because from then on their writes are refused. Two scripts of one holder may be apart: the
 * second is refused if a later holder has come in between, and what the first one wrote stays. What belongs together
 * belongs into one script.
 *
 * <p>The locks themselves may be on any store; the connection is the application's own, and its user may {@code EVAL},
 * {@code GET} and {@code SET} the fence. On a cluster the fence needs the hash tag of the data. The key has no end, and
 * must not be evicted: without it an older token is taken again.
 *
 * <p>For other clients of Redis there is {@link #lua}. Thread-safe, as far as the connection is.
 */
public final class RedisFence {
    private static final String STALE = "STALETOKEN";
    private static final String LUA = Script.read("fence.lua");

    private final ScriptingKeyCommands redis;
    private final String key;

    /**
     * A fence.
     *
     * @param redis the application's own connection: a {@code RedisClient}, {@code Jedis} or the like
     * @param key of the fence; all who write the same data use the same
     */
    public RedisFence(ScriptingKeyCommands redis, String key) {
        this.redis = Objects.requireNonNull(redis, "redis");
        this.key = Objects.requireNonNull(key, "key");
    }

    /**
     * Raises the fence, before anything is read.
     *
     * @param lease whose token counts
     * @throws StaleTokenException if a greater token was raised
     * @throws redis.clients.jedis.exceptions.JedisException what the server or the connection said
     */
    public void raise(Lease lease) {
        raise(lease.token());
    }

    /**
     * Raises the fence for a token that came from elsewhere, as with a message.
     *
     * @param token a fencing token
     * @throws StaleTokenException if a greater token was raised
     * @throws redis.clients.jedis.exceptions.JedisException what the server or the connection said
     */
    public void raise(long token) {
        run(token, "", List.of(), List.of());
    }

    /**
     * Raises the fence and runs a script, in one step; or refuses it.
     *
     * @param lease whose token counts
     * @param script Lua, in which {@code KEYS} and {@code ARGV} are these; the same text each time, because the server
     *     keeps each text
     * @param keys the keys that it uses
     * @param arguments what else it is given
     * @return what the script returned
     * @throws StaleTokenException if a greater token was raised; the script was not run
     * @throws redis.clients.jedis.exceptions.JedisException what the server or the connection said
     */
    public @Nullable Object eval(Lease lease, String script, List<String> keys, List<String> arguments) {
        return run(lease.token(), script, keys, arguments);
    }

    /**
     * The head of a script that writes to fenced data, for other clients of Redis. The last of {@code KEYS} must be the
     * fence, the last of {@code ARGV} the token in digits; it takes both away. The answer to an older token is an error
     * that begins with {@code STALETOKEN}.
     *
     * @return Lua
     */
    public static String lua() {
        return LUA;
    }

    private @Nullable Object run(long token, String script, List<String> keys, List<String> arguments) {
        try {
            return redis.eval(LUA + script, with(keys, key), with(arguments, Long.toString(token)));
        } catch (JedisDataException refused) {
            if (String.valueOf(refused.getMessage()).startsWith(STALE)) {
                throw new StaleTokenException(
                        "the fence \"" + key + "\" was raised above token " + token
                                + ": another holder has come since; write nothing more",
                        token);
            }
            throw refused;
        }
    }

    private static List<String> with(List<String> some, String last) {
        List<String> all = new ArrayList<>(some);
        all.add(last);
        return all;
    }
}
