package dev.baton.chaos.client;

import dev.baton.BatonOptions;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.SplittableRandom;

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
 * @param rate how often its callers ask in a second, without a history; 0 if they ask as often as they can, and write one
 */
public record ClientSettings(
        String subject,
        String uri,
        Path directory,
        int client,
        int threads,
        int names,
        Duration leaseTime,
        long seed,
        double rate) {
    /** The name of Baton's own locks as a subject. */
    public static final String BATON = "baton";

    /** The namespace of all clients. */
    private static final String NAMESPACE = "chaos";

    /** How long a client may take to connect. */
    public static final Duration CONNECT = Duration.ofSeconds(20);

    /** The grace of all clients: the longest lease that a client may believe in. */
    private static final Duration GRACE = Duration.ofSeconds(10);

    /** Returns the options that all clients of all runs share. */
    public static BatonOptions.Builder options() {
        return BatonOptions.builder().namespace(NAMESPACE).grace(GRACE).connectTimeout(CONNECT);
    }

    /** Returns the settings of one JVM. */
    ClientSettings of(int number, String address) {
        return new ClientSettings(subject, address, directory, number, threads, names, leaseTime, seed, rate);
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
                Long.toString(seed),
                Double.toString(rate));
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
                Long.parseLong(arguments[7]),
                Double.parseDouble(arguments[8]));
    }

    /** Returns the choices of a caller. */
    SplittableRandom random(int thread) {
        return new SplittableRandom(seed * 31 + client * 1_009L + thread);
    }

    /** Returns the name of a lock. */
    public static String lock(int number) {
        return "lock-" + number;
    }
}
