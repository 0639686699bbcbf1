package dev.baton.cli.run;

import static org.assertj.core.api.Assertions.assertThat;

import dev.baton.cli.BatonProcess;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** A cron expression that fires each second, in three processes, until it has fired fifty times. */
class CronFiresNightly {
    private static final int FIRES = 50;
    private static final int PROCESSES = 3;
    private static final Duration LIMIT = Duration.ofSeconds(FIRES * 2);

    @TempDir
    private Path directory;

    @ParameterizedTest
    @EnumSource(
            value = Place.class,
            names = {"SQLITE", "H2_SERVER", "POSTGRESQL", "MARIADB", "REDIS", "ZOOKEEPER", "ETCD"})
    @DisplayName("each second that a cron expression names is run once")
    void fireTimes_ofACronExpression_areRunOnceEach(Place place) throws Exception {
        Path ran = directory.resolve("ran");
        try (Runs runs = new Runs(directory, place.uri(directory))) {
            List<BatonProcess> processes = Stream.generate(() -> job(runs, "echo $BATON_FIRE_TIME $PPID >>" + ran))
                    .limit(PROCESSES)
                    .toList();
            long end = System.nanoTime() + LIMIT.toNanos();
            while (lines(ran).size() < FIRES && System.nanoTime() < end) {
                Thread.sleep(200);
            }
            for (BatonProcess each : processes) {
                each.signal("TERM");
                each.exitCode();
            }
        }
        List<Instant> fires = new ArrayList<>();
        HashSet<String> by = new HashSet<>();
        for (String line : lines(ran)) {
            String[] words = line.split(" ");
            fires.add(Instant.parse(words[0]));
            by.add(words[1]);
        }
        assertThat(fires).hasSizeGreaterThanOrEqualTo(FIRES).isSorted().doesNotHaveDuplicates();
        long seconds =
                Duration.between(fires.get(0), fires.get(fires.size() - 1)).toSeconds();
        System.out.println(place + ": " + fires.size() + " fire times of " + (seconds + 1) + " s, run by " + by.size()
                + " of " + PROCESSES + " processes");
        assertThat(fires).hasSize((int) seconds + 1);
    }

    private static BatonProcess job(Runs runs, String script) {
        return runs.start(
                Map.of(),
                "job",
                "run",
                "--store",
                runs.store(),
                "--name",
                "cron",
                "--cron",
                "* * * * * *",
                "--catch-up",
                "all",
                "--",
                "sh",
                "-c",
                script);
    }

    private static List<String> lines(Path file) throws IOException {
        return Files.exists(file) ? Files.readAllLines(file) : List.of();
    }
}
