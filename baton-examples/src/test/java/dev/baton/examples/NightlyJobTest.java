package dev.baton.examples;

import static org.assertj.core.api.Assertions.assertThat;

import dev.baton.Baton;
import dev.baton.Job;
import dev.baton.Job.Outcome;
import dev.baton.Schedule;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Two nodes, each with its own client. */
class NightlyJobTest {
    private static final Instant NIGHT = Instant.parse("2026-03-01T00:00:00Z");

    @TempDir
    Path directory;

    private final List<Instant> sent = new CopyOnWriteArrayList<>();
    private Baton one;
    private Baton other;

    @BeforeEach
    void open() {
        one = Baton.connect("jdbc:sqlite:" + directory.resolve("locks.db"));
        other = Baton.connect("jdbc:sqlite:" + directory.resolve("locks.db"));
    }

    @AfterEach
    void close() {
        one.close();
        other.close();
    }

    private NightlyJob sending(Baton baton) {
        return new NightlyJob(baton, (night, token) -> sent.add(night));
    }

    @Test
    void run_whileAnotherNodeIsAtIt_isSkipped() throws Exception {
        CountDownLatch started = new CountDownLatch(1);
        CountDownLatch mayEnd = new CountDownLatch(1);
        NightlyJob slow = new NightlyJob(one, (night, token) -> {
            started.countDown();
            mayEnd.await();
        });
        CompletableFuture<Outcome> running = CompletableFuture.supplyAsync(() -> run(slow));
        started.await();
        assertThat(sending(other).runFor(NIGHT)).isEqualTo(Outcome.RUNNING_ELSEWHERE);
        mayEnd.countDown();
        assertThat(running.get()).isEqualTo(Outcome.RAN);
        assertThat(sent).isEmpty();
    }

    private static Outcome run(NightlyJob job) {
        try {
            return job.runFor(NIGHT);
        } catch (InterruptedException e) {
            throw new IllegalStateException(e);
        }
    }

    @Test
    void run_ofALateNode_findsTheNightDone() throws Exception {
        assertThat(sending(one).runFor(NIGHT)).isEqualTo(Outcome.RAN);
        assertThat(sending(other).runFor(NIGHT)).isEqualTo(Outcome.ALREADY_DONE);
        Instant next = NIGHT.plus(Duration.ofDays(1));
        assertThat(sending(other).runFor(next)).isEqualTo(Outcome.RAN);
        assertThat(sent).containsExactly(NIGHT, next);
    }

    @Test
    void schedule_ofTwoNodes_runsEachNightOnce() throws Exception {
        Schedule nights = Schedule.every(Duration.ofSeconds(1));
        try (Job.Scheduled first = sending(one).start(nights);
                Job.Scheduled second = sending(other).start(nights)) {
            while (sent.size() < 3) {
                Thread.sleep(10);
            }
            assertThat(first.nextFireTime()).isNotEqualTo(Optional.empty());
            assertThat(second.missed()).isZero();
        }
        assertThat(sent).doesNotHaveDuplicates().isSorted();
    }

    @Test
    void main_twice_runsOnce() throws Exception {
        String shared = directory.resolve("main").toString();
        NightlyJob.main(new String[] {shared});
        NightlyJob.main(new String[] {shared});
        try (Baton baton = Baton.connect("jdbc:sqlite:" + directory.resolve("main/locks.db"))) {
            assertThat(baton.job("nightly-mail").history()).singleElement().satisfies(run -> {
                assertThat(run.state()).isEqualTo(Job.State.SUCCEEDED);
                assertThat(run.attempt()).isEqualTo(1);
            });
        }
    }
}
