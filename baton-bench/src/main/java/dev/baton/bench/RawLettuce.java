package dev.baton.bench;

import dev.baton.bench.Contestant.Client;
import dev.baton.bench.Contestant.Worker;
import dev.baton.redis.BarePipeline;
import io.lettuce.core.RedisClient;
import io.lettuce.core.ScriptOutputType;
import io.lettuce.core.SetArgs;
import io.lettuce.core.api.sync.RedisCommands;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;

/** A {@link RawPair} by Lettuce: all threads share one connection, as its documents advise. */
final class RawLettuce implements Client, RawPair {
    static final Setup SETUP = Setup.of(
            "one connection for all threads, a key expires after " + Setup.time(BarePipeline.EXPIRY_MILLIS),
            RedisClient.class);

    private static final SetArgs IF_FREE = SetArgs.Builder.nx().px(BarePipeline.EXPIRY_MILLIS);
    private static final Long DELETED = 1L;

    private final AtomicInteger workers = new AtomicInteger();
    private final RedisClient client;
    private final RedisCommands<String, String> commands;
    private final String script;
    private final int index;

    RawLettuce(Stage stage) {
        this.client = RedisClient.create(stage.serverAddress().toString());
        this.commands = client.connect().sync();
        this.script = commands.scriptLoad(BarePipeline.DELETE_OWN);
        this.index = stage.index();
    }

    @Override
    public Worker worker(List<String> names) {
        return worker(names, index + ":" + workers.incrementAndGet());
    }

    @Override
    public boolean set(String name, String owner) {
        return commands.set(name, owner, IF_FREE) != null;
    }

    @Override
    public boolean delete(String name, String owner) {
        Long deleted = commands.evalsha(script, ScriptOutputType.INTEGER, new String[] {name}, owner);
        return DELETED.equals(deleted);
    }

    @Override
    public void close() {
        client.shutdown();
    }
}
