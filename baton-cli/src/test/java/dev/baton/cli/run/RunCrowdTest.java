package dev.baton.cli.run;

import static org.assertj.core.api.Assertions.assertThat;

import dev.baton.cli.BatonProcess;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** The crontab of one machine at the full hour: many {@code baton run} of one name start in the same second. */
@Tag("serial")
class RunCrowdTest {
    private static final boolean BY_NIGHT = Boolean.getBoolean("baton.nightly");
    private static final int MANY = BY_NIGHT ? 60 : 8;
    private static final int ROUNDS = BY_NIGHT ? 10 : 1;

    @TempDir
    private Path directory;

    /** By day: the store of a crontab without a server, and the store on which most locks were lost. */
    static Stream<Place> places() {
        return BY_NIGHT ? Stream.of(Place.SQLITE, Place.REDIS, Place.POSTGRESQL) : Stream.of(Place.SQLITE);
    }

    @ParameterizedTest
    @MethodSource("places")
    void allOfACrowd_run_oneAfterTheOther(Place place) throws Exception {
        Path work = directory.resolve("at-work");
        String job = "mkdir " + work + " || echo OVERLAP; rmdir " + work + "; echo done";
        for (int round = 0; round < ROUNDS; round++) {
            Path own = Files.createDirectory(directory.resolve("round" + round));
            try (Runs runs = new Runs(own, place.uri(own))) {
                List<BatonProcess> all = new ArrayList<>();
                for (int i = 0; i < MANY; i++) {
                    all.add(runs.run("--name", "job", "--", "sh", "-c", job));
                }
                for (BatonProcess baton : all) {
                    assertThat(baton.exitCode()).as(baton.err()).isZero();
                    assertThat(baton.out()).isEqualTo("done\n");
                    assertThat(baton.err()).isEmpty();
                }
            }
        }
    }
}
