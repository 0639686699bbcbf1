package dev.baton.cli.run;

import static org.assertj.core.api.Assertions.assertThat;

import dev.baton.cli.BatonProcess;
import dev.baton.servers.RedisServer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Several {@code baton run} of one name. */
class RunOverlapTest {
    private static final boolean BY_NIGHT = Boolean.getBoolean("baton.nightly");

    /** By day other tests run beside this one, and a machine that stands still for seconds must not end a lease. */
    private static final String LEASE = BY_NIGHT ? "1s" : "6s";

    /** At night twenty leases, by day two and a half. */
    private static final String LONG_JOB = BY_NIGHT ? "20" : "15";

    @TempDir
    private Path directory;

    private String store(String kind) {
        return kind.equals("redis") ? RedisServer.shared().uri() : "jdbc:sqlite:" + directory.resolve("locks.db");
    }

    /** Reports if another job is in the middle of its work. */
    private static String job(Path place, String seconds) {
        return "mkdir " + place + " || echo OVERLAP; sleep " + seconds + "; rmdir " + place + "; echo done";
    }

    @ParameterizedTest
    @ValueSource(strings = {"sqlite", "redis"})
    void runs_ofOneName_neverOverlap_andNeitherDoesAJobOfManyLeases(String kind) throws Exception {
        Path place = directory.resolve("at-work");
        try (Runs runs = new Runs(Files.createDirectory(directory.resolve(kind)), store(kind))) {
            List<BatonProcess> all = new ArrayList<>();
            for (String seconds : List.of(LONG_JOB, "0.3", "0.3", "0.1")) {
                all.add(runs.run(
                        "--name",
                        "job",
                        "--lease",
                        LEASE,
                        "--kill-after",
                        "20ms",
                        "--",
                        "sh",
                        "-c",
                        job(place, seconds)));
            }
            for (BatonProcess baton : all) {
                assertThat(baton.exitCode()).as(baton.err()).isZero();
                assertThat(baton.out()).isEqualTo("done\n");
                assertThat(baton.err()).isEmpty();
            }
        }
    }
}
