package dev.baton.bench;

/**
 * What the server did, counted by itself. Figures that nobody took are not numbers, and so is what is made of them.
 *
 * @param scripts scripts that clients called
 * @param commands all commands, also those that scripts called
 * @param publishes messages that were published, by scripts or directly
 * @param cpuMicros processor time
 */
record Usage(double scripts, double commands, double publishes, double cpuMicros) {
    static final Usage UNKNOWN = new Usage(Double.NaN, Double.NaN, Double.NaN, Double.NaN);

    Usage since(Usage start) {
        return new Usage(
                scripts - start.scripts,
                commands - start.commands,
                publishes - start.publishes,
                cpuMicros - start.cpuMicros);
    }
}
