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
 * Makes a lock exact for data in Redis: the data accepts no write of a holder after a later holder has raised the
 * fence, whether or not the first still believes that it holds the lock. Raise the fence first, before reading
 * anything; every write then checks it, in one script with the write:
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
 * <p>The fence is a key with the greatest token seen, as text. It locks nothing: a holder that raises it reads the
 * writes of all earlier holders, because from then on their writes are refused. Two scripts of one holder are not
 * atomic together: if a later holder comes in between, the second script is refused, and the writes of the first one
 * stay. Writes that belong together belong in one script.
 *
 * <p>The locks themselves may be on any store. The connection is the application's own, and its user must have the
 * right to {@code EVAL}, and to {@code GET} and {@code SET} the fence. On a cluster the fence needs the hash tag of the
 * data. The key never expires, and must not be evicted: without it an older token is accepted again.
 *
 * <p>Other clients of Redis can use {@link #lua}. Thread-safe, as far as the connection is.
 */
public final class RedisFence {
    private static final String STALE = "STALETOKEN";
    private static final String LUA = Script.read("fence.lua");

    private final ScriptingKeyCommands redis;
    private final String key;

    /**
     * Creates a fence.
     *
     * @param redis the application's own connection: a {@code RedisClient}, {@code Jedis} or the like
     * @param key of the fence; all writers of the same data use the same key
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
     * @throws IllegalArgumentException if the lease is shared: {@link Lease#ensureExclusive}
     * @throws redis.clients.jedis.exceptions.JedisException the error of the server or the connection
     */
    public void raise(Lease lease) {
        lease.ensureExclusive();
        raise(lease.token());
    }

    /**
     * Raises the fence for a token from elsewhere, such as a message.
     *
     * @param token a fencing token
     * @throws StaleTokenException if a greater token was raised
     * @throws redis.clients.jedis.exceptions.JedisException the error of the server or the connection
     */
    public void raise(long token) {
        run(token, "", List.of(), List.of());
    }

    /**
     * Raises the fence and runs a script, in one atomic step; or refuses both.
     *
     * @param lease whose token counts
     * @param script Lua, in which {@code KEYS} and {@code ARGV} are these; the same text each time, because the server
     *     keeps each text
     * @param keys the keys that it uses
     * @param arguments its other arguments
     * @return the script's result
     * @throws StaleTokenException if a greater token was raised; the script was not run
     * @throws IllegalArgumentException if the lease is shared: {@link Lease#ensureExclusive}
     * @throws redis.clients.jedis.exceptions.JedisException the error of the server or the connection
     */
    public @Nullable Object eval(Lease lease, String script, List<String> keys, List<String> arguments) {
        lease.ensureExclusive();
        return run(lease.token(), script, keys, arguments);
    }

    /**
     * Returns the head of a script that writes to fenced data, for other clients of Redis. The last of {@code KEYS}
     * must be the fence, the last of {@code ARGV} the token in digits; the head removes both. The answer to an older
     * token is an error that begins with {@code STALETOKEN}.
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
