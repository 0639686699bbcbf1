package dev.baton.chaos;

import picocli.CommandLine.Option;

/** The options of the command line for the clients of a run: how many there are, and the leases that they ask for. */
final class ClientOptions {
    @Option(names = "--clients", defaultValue = "3", paramLabel = "N", description = "The number of client JVMs (3).")
    int clients = 3;

    @Option(names = "--threads", defaultValue = "4", paramLabel = "N", description = "The callers in each client (4).")
    int threads = 4;

    @Option(names = "--lease", defaultValue = "2000", paramLabel = "MS", description = "The lease time (2000).")
    long leaseMillis = 2_000;

    boolean arePositive() {
        return clients > 0 && threads > 0 && leaseMillis > 0;
    }
}
