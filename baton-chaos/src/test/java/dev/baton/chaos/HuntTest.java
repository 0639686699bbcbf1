package dev.baton.chaos;

import static org.assertj.core.api.Assertions.assertThat;

import dev.baton.chaos.check.Checkers;
import dev.baton.chaos.check.Finding;
import dev.baton.chaos.report.Report;
import dev.baton.chaos.zoo.Animal;
import dev.baton.chaos.zoo.Zoo;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Set;
import java.util.function.Predicate;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Each broken lock is caught by its checker under its fault, and its repaired twin is not. */
@Tag("serial")
class HuntTest {
    private static final boolean NIGHTLY = Boolean.getBoolean("baton.nightly");

    /** One for each kind of fault: none, of a client, of the wire, of the server; and one that shares. */
    private static final Set<String> BY_DAY = Set.of(
            "owner-is-client", "no-deadline", "exceptions-of-the-driver", "counted-token", "reader-forgets-writer");

    private static final Duration BUDGET = Duration.ofSeconds(NIGHTLY ? 240 : 60);

    /** By day long enough for some faults, though a machine stands still for seconds. */
    private static final Duration TWIN = NIGHTLY ? BUDGET.dividedBy(8) : Duration.ofSeconds(5);

    private static final int HOLDS = 1_000;
    private static final long SEED = 1;

    @TempDir
    private Path directory;

    static Stream<Animal> animals() {
        return Zoo.animals().stream().filter(animal -> NIGHTLY || BY_DAY.contains(animal.name()));
    }

    private Hunt hunt(Animal animal) {
        return new Hunt(animal, directory, SEED, line -> {});
    }

    @ParameterizedTest
    @MethodSource("animals")
    void animal_underItsFault_isCaughtByItsCheckersAlone(Animal animal) throws Exception {
        Hunt.Catch caught = hunt(animal).untilCaught(BUDGET);

        assertThat(caught.seconds()).as("seconds").isPresent();
        assertThat(broken(caught.last(), promise -> promise.equals(animal.promise())))
                .as("what its checker finds")
                .isNotEmpty();
        assertThat(broken(caught.last(), promise -> !animal.promises().contains(promise)))
                .as("what the other checkers find")
                .isEmpty();
    }

    private static List<Finding> broken(Report report, Predicate<String> promises) {
        return Checkers.run(
                        Checkers.all().stream()
                                .filter(checker -> promises.test(checker.promise()))
                                .toList(),
                        report.evidence())
                .stream()
                .filter(finding -> !finding.excused())
                .toList();
    }

    /** By day each run has to be short, and these have no fault to survive. */
    static Stream<Animal> animalsWithFaults() {
        return animals().filter(animal -> NIGHTLY || !animal.fault().equals(Animal.CONTENTION));
    }

    @ParameterizedTest
    @MethodSource("animalsWithFaults")
    void repairedTwin_underTheSameFault_keepsAllPromises(Animal animal) throws Exception {
        Report report = hunt(animal).repaired(TWIN);

        assertThat(report.violations()).isEmpty();
        assertThat(report.idleFaults()).isEmpty();
        assertThat(report.counts().holds()).isGreaterThan(HOLDS / 10);
    }

    /** By day other tests run beside these, and a busy machine pauses clients by itself. */
    static Stream<Animal> animalsThatMayPause() {
        return animalsWithFaults().filter(animal -> NIGHTLY || !animal.fault().equals("client-pause"));
    }

    @ParameterizedTest
    @MethodSource("animalsThatMayPause")
    void animal_withoutItsFault_passes(Animal animal) throws Exception {
        Report report = hunt(animal).unharmed(HOLDS, BUDGET);

        assertThat(report.counts().holds()).isGreaterThanOrEqualTo(HOLDS);
        assertThat(report.violations()).isEmpty();
    }
}
