package dev.baton.bench;

/**
 * What the server did, counted by itself. Figures that nobody took are not numbers, and so is what is made of them.
 *
 * @param scripts scripts that clients called
 * @param commands all commands, also those that scripts called
 * @param publishes messages that were published, by scripts or directly
 * @param bytes what came over its connections, and what went
 * @param cpuMicros processor time
 */
record Usage(double scripts, double commands, double publishes, double bytes, double cpuMicros) {
    static final Usage UNKNOWN = ofCpu(Double.NaN);

    /** Where nothing else is counted. */
    static Usage ofCpu(double micros) {
        return new Usage(Double.NaN, Double.NaN, Double.NaN, Double.NaN, micros);
    }

    Usage since(Usage start) {
        return new Usage(
                scripts - start.scripts,
                commands - start.commands,
                publishes - start.publishes,
                bytes - start.bytes,
                cpuMicros - start.cpuMicros);
    }
}
