package dev.baton.bench;

import dev.baton.bench.Contestant.Client;
import dev.baton.bench.Contestant.Worker;
import dev.baton.redis.BarePipeline;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;

/** A {@link RawPair} over the connection of Baton's own store, which all threads share. */
final class BarePair implements Client, RawPair {
    static final Setup SETUP = Setup.of(
            "one connection for all threads, a key expires after " + Setup.time(BarePipeline.EXPIRY_MILLIS),
            BarePipeline.class);

    private final AtomicInteger workers = new AtomicInteger();
    private final BarePipeline pipeline;
    private final int index;

    BarePair(Stage stage) throws Exception {
        this.pipeline = BarePipeline.connect(stage.serverAddress());
        this.index = stage.index();
    }

    @Override
    public Worker worker(List<String> names) {
        return worker(names, index + ":" + workers.incrementAndGet());
    }

    @Override
    public boolean set(String name, String owner) throws Exception {
        return pipeline.set(name, owner);
    }

    @Override
    public boolean delete(String name, String owner) throws Exception {
        return pipeline.delete(name, owner);
    }

    @Override
    public void close() {
        pipeline.close();
    }
}
