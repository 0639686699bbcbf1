package dev.baton.bench;

import dev.baton.bench.Contestant.Client;
import dev.baton.bench.Contestant.Worker;
import java.util.ArrayList;
import java.util.List;
import redis.clients.jedis.Connection;
import redis.clients.jedis.DefaultJedisClientConfig;
import redis.clients.jedis.Jedis;
import redis.clients.jedis.JedisClientConfig;
import redis.clients.jedis.Protocol.Command;
import redis.clients.jedis.RedisProtocol;

/**
 * The shortest hand-over by a pushed message: each client waits for a message to itself, which the waiting thread reads
 * from the socket, and then calls a script that publishes a message to the next client. The one message is the lock.
 */
final class RawPublish implements Client {
    static final Setup SETUP = Setup.of("two connections for each thread", Jedis.class);

    private static final String PUBLISH = "return redis.call('publish', KEYS[1], ARGV[1])";
    private static final List<String> MESSAGE = List.of("yours");
    private static final Long RECEIVED = 1L;
    /** In RESP2 a message is an ordinary reply, so that a plain read returns it. */
    private static final JedisClientConfig PLAIN =
            DefaultJedisClientConfig.builder().protocol(RedisProtocol.RESP2).build();

    private final Stage stage;
    private final List<Jedis> connections = new ArrayList<>();

    RawPublish(Stage stage) {
        this.stage = stage;
    }

    @Override
    public Worker worker(List<String> names) {
        String channel = names.get(0) + ":";
        Jedis sender = connect();
        Connection receiver = connect().getConnection();
        receiver.sendCommand(Command.SUBSCRIBE, channel + stage.index());
        receiver.getOne(); // sends the command and reads the confirmation
        if (stage.index() == 0) {
            sender.publish(channel + stage.index(), MESSAGE.get(0));
        }
        String script = sender.scriptLoad(PUBLISH);
        List<String> next = List.of(channel + (stage.index() + 1) % stage.clients());
        return section -> {
            receiver.getUnflushedObject();
            section.run();
            if (!RECEIVED.equals(sender.evalsha(script, next, MESSAGE))) {
                throw new IllegalStateException("nobody listens to " + next);
            }
            return 1;
        };
    }

    private Jedis connect() {
        Jedis jedis = new Jedis(stage.serverAddress(), PLAIN);
        connections.add(jedis);
        return jedis;
    }

    @Override
    public void close() {
        connections.forEach(Jedis::close);
    }
}
