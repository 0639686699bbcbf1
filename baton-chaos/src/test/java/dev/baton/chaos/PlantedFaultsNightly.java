package dev.baton.chaos;

import static org.assertj.core.api.Assertions.assertThat;

import dev.baton.chaos.report.Report;
import dev.baton.chaos.zoo.Animal;
import dev.baton.chaos.zoo.Zoo;
import java.nio.file.Path;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * The run of {@link ChaosTest} is long enough: it finds a defect of Baton that the death of a client brings out, one that a
 * pause does, and one that the network does.
 */
@Tag("serial")
class PlantedFaultsNightly {
    private static final int RUNS = 10;

    @TempDir
    private Path directory;

    @ParameterizedTest
    @ValueSource(strings = {"baton:keeps-the-dead", "baton:believes-for-ever", "baton:silence-is-consent"})
    void defect_isFoundByItsCheckersInNineOfTenRuns(String planted) throws Exception {
        int found = 0;
        for (int seed = 1; seed <= RUNS; seed++) {
            found += isFound(planted, DailyChaos.run(planted, DailyChaos.LENGTH, seed, directory)) ? 1 : 0;
        }
        assertThat(found).isGreaterThanOrEqualTo(RUNS - 1);
    }

    private static boolean isFound(String planted, Report report) {
        Animal animal = Zoo.animals().stream()
                .filter(each -> each.subject().equals(planted))
                .findFirst()
                .orElseThrow();
        return report.violations().stream()
                .anyMatch(finding -> animal.promises().contains(finding.promise()));
    }
}
