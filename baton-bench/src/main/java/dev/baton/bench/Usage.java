package dev.baton.bench;

/**
 * The server's own figures. A figure that the server does not count is NaN, and so are all figures derived from it.
 *
 * @param scripts the scripts that clients called
 * @param commands all commands, including those that scripts called
 * @param publishes the messages that scripts or clients published
 * @param bytes the bytes that it received and sent
 * @param cpuMicros processor time
 */
record Usage(double scripts, double commands, double publishes, double bytes, double cpuMicros) {
    static final Usage UNKNOWN = ofCpu(Double.NaN);

    /** Creates figures of a server that counts only processor time. */
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
