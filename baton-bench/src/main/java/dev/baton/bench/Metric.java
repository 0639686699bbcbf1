package dev.baton.bench;

import java.util.List;
import java.util.function.ToDoubleFunction;

/**
 * One figure of a sample.
 *
 * @param unit as the tables show it
 * @param figure reads it
 */
record Metric(String unit, ToDoubleFunction<Sample> figure) {
    private static final double NANOS_PER_SECOND = 1e9;
    private static final double NANOS_PER_MICRO = 1e3;

    private static final double MEDIAN = 50;
    private static final double RARE = 99;

    static final Metric RATE = new Metric("ops/s", sample -> sample.total() * NANOS_PER_SECOND / sample.nanos());
    static final Metric NANOS = new Metric("ns/op", sample -> sample.perOperation((double) sample.nanos()));
    static final Metric HAND_OVER =
            new Metric("hand-over us", sample -> Waits.percentile(sample.handOvers(), MEDIAN) / NANOS_PER_MICRO);
    static final Metric WAIT =
            new Metric("wait p50 us", sample -> Waits.percentile(sample.waits(), MEDIAN) / NANOS_PER_MICRO);
    static final Metric LONG_WAIT =
            new Metric("wait p99 us", sample -> Waits.percentile(sample.waits(), RARE) / NANOS_PER_MICRO);
    static final Metric SCRIPTS = new Metric(
            "scripts/op", sample -> sample.perOperation(sample.usage().scripts()));
    static final Metric COMMANDS = new Metric(
            "commands/op", sample -> sample.perOperation(sample.usage().commands()));
    static final Metric PUBLISHES = new Metric(
            "publishes/op", sample -> sample.perOperation(sample.usage().publishes()));
    static final Metric BYTES = new Metric(
            "wire bytes/op", sample -> sample.perOperation(sample.usage().bytes()));
    static final Metric CPU = new Metric(
            "server us/op", sample -> sample.perOperation(sample.usage().cpuMicros()));
    static final Metric CLIENT_CPU =
            new Metric("client us/op", sample -> sample.perOperation(sample.cpuNanos()) / NANOS_PER_MICRO);
    static final Metric CLIENT_CORES = new Metric("client cores", sample -> sample.cpuNanos() / sample.nanos());
    static final Metric FAULTS = new Metric("faults", Sample::faults);
    static final Metric ALLOCATED = new Metric("bytes/op", sample -> sample.perOperation(sample.allocated()));
    static final Metric UNEVENNESS = new Metric("unevenness", Sample::unevenness);

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

    double of(Sample sample) {
        return figure.applyAsDouble(sample);
    }
}
