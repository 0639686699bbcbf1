package dev.baton.bench;

import java.util.List;
import java.util.function.ToDoubleFunction;

/**
 * One figure of a sample.
 *
 * @param unit a short name
 * @param words its meaning in plain words
 * @param moreIsBetter whether the larger of two figures is the better one
 * @param figure reads it from a sample
 */
record Metric(String unit, String words, boolean moreIsBetter, ToDoubleFunction<Sample> figure) {
    private static final double NANOS_PER_SECOND = 1e9;
    private static final double NANOS_PER_MICRO = 1e3;

    private static final double MEDIAN = 50;
    private static final double RARE = 99;

    static final Metric RATE = new Metric(
            "ops/s", "operations per second", true, sample -> sample.total() * NANOS_PER_SECOND / sample.nanos());
    static final Metric NANOS =
            less("ns/op", "nanoseconds per operation", sample -> sample.perOperation((double) sample.nanos()));
    static final Metric HAND_OVER = less(
            "hand-over us",
            "microseconds for a hand-over",
            sample -> Waits.percentile(sample.handOvers(), MEDIAN) / NANOS_PER_MICRO);
    static final Metric WAIT = less(
            "wait p50 us",
            "us to get the lock, median",
            sample -> Waits.percentile(sample.waits(), MEDIAN) / NANOS_PER_MICRO);
    static final Metric LONG_WAIT = less(
            "wait p99 us",
            "us to get the lock, 99 of 100",
            sample -> Waits.percentile(sample.waits(), RARE) / NANOS_PER_MICRO);
    static final Metric SCRIPTS = less(
            "scripts/op",
            "script calls per operation",
            sample -> sample.perOperation(sample.usage().scripts()));
    static final Metric COMMANDS = less(
            "commands/op",
            "server commands per operation",
            sample -> sample.perOperation(sample.usage().commands()));
    static final Metric PUBLISHES = less(
            "publishes/op",
            "messages per operation",
            sample -> sample.perOperation(sample.usage().publishes()));
    static final Metric BYTES = less(
            "wire bytes/op",
            "network bytes per operation",
            sample -> sample.perOperation(sample.usage().bytes()));
    static final Metric CPU = less(
            "server us/op",
            "us of server CPU per operation",
            sample -> sample.perOperation(sample.usage().cpuMicros()));
    static final Metric CLIENT_CPU = less(
            "client us/op",
            "us of client CPU per operation",
            sample -> sample.perOperation(sample.cpuNanos()) / NANOS_PER_MICRO);
    static final Metric CLIENT_CORES =
            less("client cores", "processors used by the client", sample -> sample.cpuNanos() / sample.nanos());
    static final Metric FAULTS = less("faults", "faults", Sample::faults);
    static final Metric ALLOCATED =
            less("bytes/op", "bytes allocated per operation", sample -> sample.perOperation(sample.allocated()));
    static final Metric UNEVENNESS = less("unevenness", "unevenness (0 is equal shares)", Sample::unevenness);

    static final List<Metric> ALL = List.of(
            RATE,
            WAIT,
            LONG_WAIT,
            HAND_OVER,
            SCRIPTS,
            COMMANDS,
            PUBLISHES,
            BYTES,
            CPU,
            CLIENT_CPU,
            ALLOCATED,
            UNEVENNESS);

    private static Metric less(String unit, String words, ToDoubleFunction<Sample> figure) {
        return new Metric(unit, words, false, figure);
    }

    double of(Sample sample) {
        return figure.applyAsDouble(sample);
    }
}
