package dev.baton.bench;

import dev.baton.bench.Contestant.Client;
import dev.baton.bench.Contestant.Worker;
import java.util.ArrayList;
import java.util.List;
import redis.clients.jedis.Jedis;
import redis.clients.jedis.params.SetParams;

/**
 * The least that a lock on Redis can send: a key with a time to live, deleted by its owner. It does not wait, renew or
 * count tokens, so it is a mark to aim at and not a lock to use. Each thread has its own connection.
 */
final class RawJedis implements Client {
    private static final String DELETE_OWN =
            "if redis.call('get', KEYS[1]) == ARGV[1] then return redis.call('del', KEYS[1]) else return 0 end";
    private static final SetParams IF_FREE = SetParams.setParams().nx().px(30_000);
    private static final Long DELETED = 1L;

    private final Stage stage;
    private final List<Jedis> connections = new ArrayList<>();

    RawJedis(Stage stage) {
        this.stage = stage;
    }

    @Override
    public Worker worker(List<String> names) {
        Jedis jedis = new Jedis(stage.serverAddress());
        connections.add(jedis);
        String script = jedis.scriptLoad(DELETE_OWN);
        List<String> owner = List.of(stage.index() + ":" + connections.size());
        return new Mutex.Turns(
                names.stream().map(name -> pair(jedis, script, name, owner)).toList());
    }

    private static Mutex pair(Jedis jedis, String script, String name, List<String> owner) {
        List<String> keys = List.of(name);
        return section -> {
            if (jedis.set(name, owner.get(0), IF_FREE) == null) {
                throw new IllegalStateException(name + " is not free");
            }
            section.run();
            if (!DELETED.equals(jedis.evalsha(script, keys, owner))) {
                throw new IllegalStateException(name + " was lost");
            }
        };
    }

    @Override
    public void close() {
        connections.forEach(Jedis::close);
    }
}
