package dev.baton.chaos;

import dev.baton.chaos.check.Checkers;
import dev.baton.chaos.check.Evidence;
import dev.baton.chaos.check.Finding;
import dev.baton.chaos.client.ClientSettings;
import dev.baton.chaos.fault.Faults;
import dev.baton.chaos.history.HostTime;
import dev.baton.chaos.lock.NameSet;
import dev.baton.chaos.report.Report;
import dev.baton.chaos.report.Settings;
import dev.baton.chaos.zoo.Animal;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.OptionalDouble;
import java.util.function.Consumer;
import java.util.function.Predicate;

/**
 * Runs an animal of the zoo, or its repaired twin, until it is caught. Immutable.
 *
 * @param animal which
 * @param directory where each run gets a directory of its own
 * @param seed of the first round; the next round has the next one
 * @param progress receives lines that report progress
 */
public record Hunt(Animal animal, Path directory, long seed, Consumer<String> progress) {
    /** How long a repaired twin is tried. */
    public static final Duration TWIN = Duration.ofSeconds(5);

    private static final int CLIENTS = 3;
    private static final int THREADS = 4;
    private static final int NAMES = 2;
    private static final double NANOS_PER_SECOND = 1e9;

    /** What is only known when all clients have finished needs short rounds, and some time for that. */
    private static final List<String> KNOWN_IN_THE_END = List.of("counter", "liveness", "residue");

    private static final Duration SHORT = Duration.ofSeconds(4);

    /**
     * The end of a hunt.
     *
     * @param seconds until it was caught; empty if it was not
     * @param rounds how many runs that took
     * @param last the last run
     */
    public record Catch(OptionalDouble seconds, int rounds, Report last) {}

    /**
     * Runs the animal under its fault until its checker catches it.
     *
     * @param budget how long to try; a run that has begun is not ended by it
     */
    public Catch untilCaught(Duration budget) throws Exception {
        long began = HostTime.nanos();
        Duration length = KNOWN_IN_THE_END.contains(animal.promise()) ? SHORT : budget;
        Predicate<Finding> wanted = finding -> finding.promise().equals(animal.promise()) && !finding.excused();
        long[] caught = {0};
        for (int round = 0; true; round++) {
            Report report = run(animal.subject(), fault(), length, CLIENTS, THREADS, names(), round, evidence -> {
                boolean found = Checkers.run(Checkers.all(), evidence).stream().anyMatch(wanted);
                caught[0] = found ? HostTime.nanos() : 0;
                return found;
            });
            boolean found = report.findings().stream().anyMatch(wanted);
            if (found || HostTime.since(began).compareTo(budget) > 0) {
                long end = caught[0] == 0 ? HostTime.nanos() : caught[0];
                return new Catch(
                        found ? OptionalDouble.of((end - began) / NANOS_PER_SECOND) : OptionalDouble.empty(),
                        round + 1,
                        report);
            }
        }
    }

    /** Runs the repaired twin under the same fault. */
    public Report repaired(Duration length) throws Exception {
        return run(animal.repairedSubject(), fault(), length, CLIENTS, THREADS, names(), 0, evidence -> false);
    }

    /** Runs the animal without its fault until there are that many holds. */
    public Report unharmed(int holds, Duration limit) throws Exception {
        boolean alone = animal.fault().equals(Animal.CONTENTION);
        return run(
                animal.subject(),
                Faults.NONE,
                limit,
                alone ? 1 : CLIENTS,
                alone ? 1 : THREADS,
                animal.fault().equals(Animal.UPGRADE) ? NameSet.locks(NAMES) : names(),
                0,
                evidence -> evidence.history().holds().size() >= holds);
    }

    private String fault() {
        return List.of(Animal.CONTENTION, Animal.UPGRADE).contains(animal.fault()) ? Faults.NONE : animal.fault();
    }

    private NameSet names() {
        return new NameSet(NAMES * animal.kinds().size(), animal.kinds());
    }

    private Report run(
            String subject,
            String fault,
            Duration length,
            int clients,
            int threads,
            NameSet names,
            int round,
            Predicate<Evidence> enough)
            throws Exception {
        Settings settings = new Settings(
                animal.store(),
                subject,
                List.of(fault),
                length,
                seed + round,
                clients,
                threads,
                names,
                animal.lease(),
                ClientSettings.longSections(subject),
                Settings.CALM,
                directory.resolve(subject.replace(':', '-') + '-' + fault + '-' + (seed + round)));
        return new ChaosRun(settings, progress, enough).run();
    }
}
