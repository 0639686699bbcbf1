package dev.baton.bench;

import dev.baton.bench.jvm.Stopwatch;
import java.time.Duration;
import java.util.function.Consumer;
import java.util.function.Supplier;

/** Watches the load from other programs, and warns when it is high. For one thread at a time. */
final class LoadWatch {
    private static final double RISE = 1.5;

    private final Supplier<CpuTimes> source;
    private final Consumer<String> warnings;
    private CpuTimes start;
    private double warned;
    private double before;
    private double most;
    private int busyTurns;
    private int turns;

    /**
     * Creates a watch.
     *
     * @param source reads the processor times
     * @param warnings receives warnings that name the load and its effect on the figures
     */
    LoadWatch(Supplier<CpuTimes> source, Consumer<String> warnings) {
        this.source = source;
        this.warnings = warnings;
        this.start = source.get();
    }

    /** Measures the load before the first round, and warns if the machine is busy. */
    void lookBefore(Duration time) {
        begin();
        Stopwatch.rest(time.toNanos());
        before = source.get().othersSince(start);
        if (Load.isBusy(before)) {
            warned = before;
            warnings.accept(
                    ("Warning: the machine is busy: other programs take %s of its processors. Rates will be lower and"
                                    + " intervals wider than on a quiet machine. Ratios suffer less, because the contestants take turns.")
                            .formatted(Load.percent(before)));
        }
    }

    /** Begins a turn. */
    void begin() {
        start = source.get();
    }

    /**
     * Ends a turn, and warns if its load is high and higher than at the last warning.
     *
     * @param turn the turn in words
     */
    void end(String turn) {
        double share = source.get().othersSince(start);
        turns++;
        most = Math.max(most, share);
        if (!Load.isBusy(share)) {
            return;
        }
        busyTurns++;
        if (share > warned * RISE) {
            warned = share;
            warnings.accept(
                    ("Warning: other programs took %s of the processors in %s: its rate is lower than on a quiet"
                                    + " machine, and the interval of its ratios is wider.")
                            .formatted(Load.percent(share), turn));
        }
    }

    Load seen() {
        return new Load(before, most, busyTurns, turns);
    }
}
