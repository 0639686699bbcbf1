package dev.baton.chaos.client;

import java.nio.file.Path;
import java.time.Duration;
import java.util.List;

/**
 * What one client JVM does. Immutable.
 *
 * @param subject the locks under test: "baton", or an animal of the zoo
 * @param uri the store
 * @param directory of the run
 * @param client the number of this JVM
 * @param threads the number of callers
 * @param names the number of locks
 * @param leaseTime of all locks
 * @param seed of all choices
 */
public record ClientSettings(
        String subject, String uri, Path directory, int client, int threads, int names, Duration leaseTime, long seed) {
    /** The name of Baton's own locks as a subject. */
    public static final String BATON = "baton";

    /** The namespace of all clients. */
    public static final String NAMESPACE = "chaos";

    /** The grace of all clients: the longest lease that a client may believe in. */
    public static final Duration GRACE = Duration.ofSeconds(10);

    /** Returns the settings of one JVM. */
    ClientSettings of(int number, String address) {
        return new ClientSettings(subject, address, directory, number, threads, names, leaseTime, seed);
    }

    /** Returns the arguments of the JVM. */
    public List<String> toArguments() {
        return List.of(
                subject,
                uri,
                directory.toString(),
                Integer.toString(client),
                Integer.toString(threads),
                Integer.toString(names),
                Long.toString(leaseTime.toMillis()),
                Long.toString(seed));
    }

    static ClientSettings of(String... arguments) {
        return new ClientSettings(
                arguments[0],
                arguments[1],
                Path.of(arguments[2]),
                Integer.parseInt(arguments[3]),
                Integer.parseInt(arguments[4]),
                Integer.parseInt(arguments[5]),
                Duration.ofMillis(Long.parseLong(arguments[6])),
                Long.parseLong(arguments[7]));
    }

    /** Returns the name of a lock. */
    public static String lock(int number) {
        return "lock-" + number;
    }
}
