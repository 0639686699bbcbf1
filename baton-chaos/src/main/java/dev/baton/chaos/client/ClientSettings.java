package dev.baton.chaos.client;

import dev.baton.BatonOptions;
import dev.baton.chaos.lock.NameKind;
import dev.baton.chaos.lock.NameSet;
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
 * @param names of locks
 * @param leaseTime of all locks
 * @param longSections of {@value #SECTIONS} sections, how many take up to some more than a lease
 * @param seed of all choices
 * @param rate how often its callers ask in a second, without a history; 0 if they ask as often as they can, and write one
 * @param grace the grace period of the namespace
 */
public record ClientSettings(
        String subject,
        String uri,
        Path directory,
        int client,
        int threads,
        NameSet names,
        Duration leaseTime,
        int longSections,
        long seed,
        double rate,
        Duration grace) {
    /** The name of Baton's own locks as a subject. */
    public static final String BATON = "baton";

    /** The share of long sections is given as a number out of so many. */
    public static final int SECTIONS = 10_000;

    /** The namespace of all clients. */
    public static final String NAMESPACE = "chaos";

    /** How long a client may take to connect. */
    public static final Duration CONNECT = Duration.ofSeconds(20);

    /** The grace period, if a store asks for no other: the longest lease that a client may believe in. */
    public static final Duration GRACE = Duration.ofSeconds(10);

    /** Returns the options that all clients of all runs share. */
    public static BatonOptions.Builder options() {
        return options(GRACE);
    }

    /** Returns the options that all clients of a run share. */
    public static BatonOptions.Builder options(Duration grace) {
        return BatonOptions.builder().namespace(NAMESPACE).grace(grace).connectTimeout(CONNECT);
    }

    /**
     * Returns how many sections are long if nothing else is asked for. The broken locks poll: a second holder would come
     * too late for sections that take no time.
     */
    public static int longSections(String subject) {
        return subject.equals(BATON) ? 2 : 30;
    }

    /** Returns the settings of one JVM. */
    ClientSettings of(int number, String address) {
        return new ClientSettings(
                subject, address, directory, number, threads, names, leaseTime, longSections, seed, rate, grace);
    }

    /** Returns the arguments of the JVM. */
    public List<String> toArguments() {
        return List.of(
                subject,
                uri,
                directory.toString(),
                Integer.toString(client),
                Integer.toString(threads),
                Integer.toString(names.size()),
                Long.toString(leaseTime.toMillis()),
                Integer.toString(longSections),
                Long.toString(seed),
                Double.toString(rate),
                Long.toString(grace.toMillis()),
                NameKind.words(names.kinds()));
    }

    static ClientSettings of(String... arguments) {
        return new ClientSettings(
                arguments[0],
                arguments[1],
                Path.of(arguments[2]),
                Integer.parseInt(arguments[3]),
                Integer.parseInt(arguments[4]),
                new NameSet(Integer.parseInt(arguments[5]), NameKind.list(List.of(arguments[11].split(",", -1)))),
                Duration.ofMillis(Long.parseLong(arguments[6])),
                Integer.parseInt(arguments[7]),
                Long.parseLong(arguments[8]),
                Double.parseDouble(arguments[9]),
                Duration.ofMillis(Long.parseLong(arguments[10])));
    }

    /** Returns the choices of a caller. */
    SplittableRandom random(int thread) {
        return new SplittableRandom(seed * 31 + client * 1_009L + thread);
    }
}
