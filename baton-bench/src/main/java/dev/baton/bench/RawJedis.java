package dev.baton.bench;

import dev.baton.bench.Contestant.Client;
import dev.baton.bench.Contestant.Worker;
import dev.baton.redis.BarePipeline;
import java.util.ArrayList;
import java.util.List;
import redis.clients.jedis.Jedis;
import redis.clients.jedis.params.SetParams;

/** A {@link RawPair} by Jedis: each thread has its own connection. */
final class RawJedis implements Client {
    static final Setup SETUP = Setup.of(
            "one connection for each thread, a key expires after " + Setup.time(BarePipeline.EXPIRY_MILLIS),
            Jedis.class);

    private static final SetParams IF_FREE = SetParams.setParams().nx().px(BarePipeline.EXPIRY_MILLIS);
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
        RawPair pair = new Pair(jedis, jedis.scriptLoad(BarePipeline.DELETE_OWN));
        return pair.worker(names, stage.index() + ":" + connections.size());
    }

    @Override
    public void close() {
        connections.forEach(Jedis::close);
    }

    private record Pair(Jedis jedis, String script) implements RawPair {
        @Override
        public boolean set(String name, String owner) {
            return jedis.set(name, owner, IF_FREE) != null;
        }

        @Override
        public boolean delete(String name, String owner) {
            return DELETED.equals(jedis.evalsha(script, List.of(name), List.of(owner)));
        }
    }
}
