package dev.baton.redis;

import dev.baton.redis.RespReader.RespError;
import dev.baton.spi.Deadline;
import dev.baton.spi.StoreFailure;
import java.net.URI;
import java.util.concurrent.TimeUnit;
import redis.clients.jedis.ClientSetInfoConfig;
import redis.clients.jedis.DefaultJedisClientConfig;
import redis.clients.jedis.JedisClientConfig;
import redis.clients.jedis.Protocol.Command;

/**
 * The fewest commands that a lock on Redis can send, over the pipeline of Baton's own store: a key with a time to live,
 * deleted by its owner. No lock over this pipeline can be faster. The class belongs to the benchmarks; it is in the
 * store's package because the pipeline is package-private.
 */
public final class BarePipeline implements AutoCloseable {
    /** The time to live of a key. */
    public static final long EXPIRY_MILLIS = 30_000;

    /** Deletes a key if it has a value. Contestants with other clients send the same script. */
    public static final String DELETE_OWN =
            "if redis.call('get', KEYS[1]) == ARGV[1] then return redis.call('del', KEYS[1]) else return 0 end";

    private static final long PATIENCE_NANOS = TimeUnit.SECONDS.toNanos(10);

    private final Pipeline pipeline;
    private final String script;

    private BarePipeline(Pipeline pipeline, String script) {
        this.pipeline = pipeline;
        this.script = script;
    }

    /**
     * Connects to a server.
     *
     * @param uri the address of the server
     * @return a pipeline for all threads
     * @throws StoreFailure if it cannot connect
     */
    public static BarePipeline connect(URI uri) throws StoreFailure {
        RedisAddress address = RedisAddress.of(uri);
        JedisClientConfig config = DefaultJedisClientConfig.builder()
                .resp2()
                .clientSetInfoConfig(ClientSetInfoConfig.DISABLED)
                .build();
        Dialer dialer =
                new Dialer(address.host(), config, Credentials.fixed(null, null), null, "bare", Server::require);
        Dialer.Open open = dialer.open();
        String script = RespReader.text(open.ask(Command.SCRIPT, "LOAD", DELETE_OWN));
        return new BarePipeline(
                new Pipeline(open.wire(), () -> dialer.open().wire(), address.target(), "bare"), script);
    }

    /**
     * Sets the key if it does not exist.
     *
     * @param name the key
     * @param owner its value
     * @return true if it was set
     * @throws StoreFailure if there was no reply
     */
    public boolean set(String name, String owner) throws StoreFailure {
        Object answer = pipeline.ask(
                        (out, wire) -> out.command(6)
                                .bulk("SET")
                                .bulk(name)
                                .bulk(owner)
                                .bulk("NX")
                                .bulk("PX")
                                .bulk(EXPIRY_MILLIS),
                        Deadline.in(PATIENCE_NANOS))
                .answer();
        return "OK".equals(answer);
    }

    /**
     * Deletes the key if it has the owner's value.
     *
     * @param name the key
     * @param owner its value
     * @return true if it was deleted
     * @throws StoreFailure if there was no reply
     */
    public boolean delete(String name, String owner) throws StoreFailure {
        Object answer = pipeline.ask(
                        (out, wire) -> out.command(5)
                                .bulk("EVALSHA")
                                .bulk(script)
                                .bulk(1)
                                .bulk(name)
                                .bulk(owner),
                        Deadline.in(PATIENCE_NANOS))
                .answer();
        if (answer instanceof RespError error) {
            throw ServerErrors.failure(error.message(), "the server", null);
        }
        return answer.equals(1L);
    }

    @Override
    public void close() {
        pipeline.close();
    }
}
