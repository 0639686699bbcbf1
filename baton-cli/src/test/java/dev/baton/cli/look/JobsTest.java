package dev.baton.cli.look;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.jr.ob.JSON;
import dev.baton.Baton;
import dev.baton.Job;
import dev.baton.cli.look.TestLocks.Place;
import java.nio.file.Path;
import java.time.Instant;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** {@code baton jobs}: the last runs, for users and programs. */
class JobsTest {
    private static final Instant TIME = Instant.parse("2026-11-27T02:00:00Z");

    @TempDir
    private Path directory;

    private TestLocks locks;

    @BeforeEach
    void open() {
        locks = new TestLocks(Place.SQLITE, directory);
    }

    @AfterEach
    void close() {
        locks.close();
    }

    @Test
    void runs_areListed_theNewestFirst() throws Exception {
        Job job = locks.client("shop").job("report");
        job.run(TIME, run -> {});
        job.run(TIME.plusSeconds(60), run -> {
            throw new IllegalStateException("broken");
        });
        List<String> lines = locks.run(0, "jobs", "report").out().lines().toList();
        assertThat(lines.get(0)).matches("JOB +FIRE TIME +STATE +ATTEMPT +BY +STARTED +TOOK");
        assertThat(lines.get(1)).matches("report  2026-11-27T02:01:00Z  failed +1  shop on .* \\S+Z +[\\d.]+m?s");
        assertThat(lines.get(2)).matches("report  2026-11-27T02:00:00Z  succeeded +1  shop on .* \\S+Z +[\\d.]+m?s");
        assertThat(lines).hasSize(3);
        assertThat(JSON.std.mapFrom(
                        locks.run(0, "jobs", "report", "none", "--json").out()))
                .extractingByKey("jobs")
                .asString()
                .contains("name=report, held=false", "fireTime=2026-11-27T02:01:00Z, state=failed, attempt=1")
                .contains("{name=none, held=false, runs=[]}");
    }

    @Test
    void withoutNames_thoseThatRunAreListed_andADeadOneIsToldFromThem() throws Exception {
        assertThat(locks.run(0, "jobs").err()).isEqualTo("baton: no job runs now: name the jobs to list\n");
        assertThat(locks.run(0, "jobs", "report").err()).isEqualTo("baton: no run of 'report' is recorded\n");
        CountDownLatch begun = new CountDownLatch(1);
        Baton client = locks.client("shop");
        Thread runner = new Thread(() -> {
            try {
                client.job("report").run(TIME, run -> {
                    begun.countDown();
                    Thread.sleep(60_000);
                });
            } catch (InterruptedException ended) {
                // Leaves the run open, as a death does.
            }
        });
        runner.start();
        begun.await();
        assertThat(locks.run(0, "jobs").out()).containsPattern("report  2026-11-27T02:00:00Z  running +1 .* -\n");
        runner.interrupt();
        runner.join();
        assertThat(locks.run(0, "jobs", "report").out()).containsPattern("2026-11-27T02:00:00Z  dead +1 ");
    }
}
