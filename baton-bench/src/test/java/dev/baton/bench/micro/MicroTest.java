package dev.baton.bench.micro;

import static org.assertj.core.api.Assertions.assertThat;

import dev.baton.servers.RedisServer;
import java.util.Collection;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.openjdk.jmh.profile.GCProfiler;
import org.openjdk.jmh.results.RunResult;
import org.openjdk.jmh.runner.Runner;
import org.openjdk.jmh.runner.options.OptionsBuilder;
import org.openjdk.jmh.runner.options.TimeValue;
import org.openjdk.jmh.runner.options.VerboseMode;

/** Checks that each benchmark works on both kinds of stores. The runs are too short to check figures. */
@Timeout(300)
class MicroTest {
    private static final List<String> KINDS = List.of("lock", "read", "write", "permit");

    @Test
    void benchmarks_inMemoryAndOnRedis_work() throws Exception {
        List<String> stores = List.of("memory:micro-test", RedisServer.shared().uri());
        // Another JMH run on this machine must not fail this test.
        System.setProperty("jmh.ignoreLock", "true");
        Collection<RunResult> results = new Runner(new OptionsBuilder()
                        .param("store", stores.toArray(String[]::new))
                        .forks(0)
                        .warmupIterations(0)
                        .measurementIterations(1)
                        .measurementTime(TimeValue.milliseconds(20))
                        .addProfiler(GCProfiler.class)
                        .shouldFailOnError(true)
                        .verbosity(VerboseMode.SILENT)
                        .build())
                .run();
        assertThat(results)
                .extracting(result -> result.getParams().getBenchmark().replaceAll(".*\\.(\\w+\\.)", "$1"))
                .containsOnly(
                        "Pairs.by1",
                        "Pairs.by4",
                        "Pairs.by16",
                        "Pairs.by64",
                        "HandOffs.among2",
                        "HandOffs.among4",
                        "HandOffs.among16",
                        "WhileHolding.reentrantPair",
                        "WhileHolding.isHeld",
                        "WhileHolding.isHeldByCurrentThread")
                .hasSize((4 * KINDS.size() + 6) * stores.size());
        assertThat(results)
                .extracting(result -> result.getParams().getParam("kind"))
                .containsAll(KINDS);
        assertThat(results).allSatisfy(result -> {
            assertThat(result.getPrimaryResult().getScore()).isPositive();
            assertThat(result.getSecondaryResults()).containsKey("gc.alloc.rate.norm");
        });
    }

    @Test
    void bytesOfAnOperation_areShown_unlessTheyAreAskedFor() {
        assertThat(Micro.withBytes("Pairs", "-f", "2")).containsExactly("-prof", "gc", "Pairs", "-f", "2");
        assertThat(Micro.withBytes("Pairs", "-prof", "gc")).containsExactly("Pairs", "-prof", "gc");
    }
}
