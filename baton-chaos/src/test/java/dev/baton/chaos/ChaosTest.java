package dev.baton.chaos;

import static org.assertj.core.api.Assertions.assertThat;

import dev.baton.chaos.report.Report;
import dev.baton.chaos.report.Settings;
import java.nio.file.Path;
import java.time.Duration;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Baton keeps its promises on a real server while clients die, pause and talk over a bad network. */
@Tag("serial")
class ChaosTest {
    private static final Duration LENGTH =
            Boolean.getBoolean("baton.nightly") ? Duration.ofMinutes(10) : DailyChaos.LENGTH;
    private static final long SEED = Long.getLong("baton.chaos.seed", 1);

    @TempDir
    private Path directory;

    @Test
    @Timeout(1_200)
    void clientsThatDieAndPause_behindABadNetwork_keepAllPromises() throws Exception {
        Report report = DailyChaos.run(Settings.BATON, LENGTH, SEED, directory);
        assertThat(report.violations()).as("with seed %d", SEED).isEmpty();
        assertThat(report.findings()).as("nothing was forgotten").isEmpty();
        assertThat(report.counts().holds()).isGreaterThan(1_000);
        assertThat(report.counts().contendedUnderFault()).isPositive();
        assertThat(report.evidence().faults()).hasSizeGreaterThan(3);
    }
}
