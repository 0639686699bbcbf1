package dev.baton.bench;

import java.time.Duration;
import java.util.List;
import java.util.Map;

/** Creates samples for tests. */
final class Samples {
    private static final long SECOND = 1_000_000_000;

    private Samples() {}

    /** Returns conditions with rounds of 3 s on Redis 7.0.15. */
    static Conditions conditions(Load load, int rounds) {
        Bench.Pace pace = new Bench.Pace(Duration.ofSeconds(5), Duration.ofSeconds(3), rounds);
        return new Conditions(pace, load, Map.of(Home.SERVER, "Redis 7.0.15"), Distance.NONE);
    }

    /** Returns a watch of a machine on which nothing else runs. */
    static LoadWatch quiet() {
        return new LoadWatch(() -> new CpuTimes(SECOND, 0, 0), warning -> {});
    }

    /** Returns a sample of one second with this number of operations, in which everything else was counted once. */
    static Sample ofRate(int operations) {
        return new Sample(
                SECOND, List.of((long) operations), 0, new Usage(1, 1, 1, 1, 1), 1, 1, Waits.none(), Waits.none());
    }
}
