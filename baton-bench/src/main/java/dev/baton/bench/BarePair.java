package dev.baton.bench;

import dev.baton.bench.Contestant.Client;
import dev.baton.bench.Contestant.Worker;
import dev.baton.redis.BarePipeline;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;

/** What {@link RawJedis} does, over the pipeline of Baton's own store: all threads share one connection. */
final class BarePair implements Client {
    private final AtomicInteger workers = new AtomicInteger();
    private final BarePipeline pipeline;
    private final int index;

    BarePair(Stage stage) throws Exception {
        this.pipeline = BarePipeline.connect(stage.serverAddress());
        this.index = stage.index();
    }

    @Override
    public Worker worker(List<String> names) {
        String owner = index + ":" + workers.incrementAndGet();
        return new Mutex.Turns(names.stream().map(name -> pair(name, owner)).toList());
    }

    private Mutex pair(String name, String owner) {
        return section -> {
            if (!pipeline.set(name, owner)) {
                throw new IllegalStateException(name + " is not free");
            }
            section.run();
            if (!pipeline.delete(name, owner)) {
                throw new IllegalStateException(name + " was lost");
            }
        };
    }

    @Override
    public void close() {
        pipeline.close();
    }
}
