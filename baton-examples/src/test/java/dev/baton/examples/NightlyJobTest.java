package dev.baton.examples;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.baton.Baton;
import dev.baton.examples.NightlyJob.Outcome;
import java.nio.file.Path;
import java.sql.SQLException;
import java.time.LocalDate;
import java.time.ZoneOffset;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Two nodes, each with its own client and journal. */
class NightlyJobTest {
    private static final LocalDate NIGHT = LocalDate.of(2026, 3, 1);

    @TempDir
    Path directory;

    private final AtomicInteger runs = new AtomicInteger();
    private Baton one;
    private Baton other;
    private Journal oneJournal;
    private Journal otherJournal;

    @BeforeEach
    void open() throws Exception {
        one = Baton.connect("jdbc:sqlite:" + directory.resolve("locks.db"));
        other = Baton.connect("jdbc:sqlite:" + directory.resolve("locks.db"));
        oneJournal = new Journal("jdbc:sqlite:" + directory.resolve("journal.db"));
        otherJournal = new Journal("jdbc:sqlite:" + directory.resolve("journal.db"));
    }

    @AfterEach
    void close() throws Exception {
        one.close();
        other.close();
        oneJournal.close();
        otherJournal.close();
    }

    @Test
    void run_whileAnotherNodeIsAtIt_isSkipped() throws Exception {
        CountDownLatch started = new CountDownLatch(1);
        CountDownLatch mayEnd = new CountDownLatch(1);
        NightlyJob slow = new NightlyJob(one, "mail", oneJournal, lease -> {
            started.countDown();
            await(mayEnd);
        });
        CompletableFuture<Outcome> running = CompletableFuture.supplyAsync(() -> run(slow));
        await(started);
        assertThat(countingJob(other, otherJournal).run(NIGHT)).isEqualTo(Outcome.ANOTHER_IS_AT_IT);
        mayEnd.countDown();
        assertThat(running.get()).isEqualTo(Outcome.RAN);
        assertThat(runs).hasValue(0);
    }

    @Test
    void run_ofALateNode_findsTheNightDone() throws Exception {
        assertThat(countingJob(one, oneJournal).run(NIGHT)).isEqualTo(Outcome.RAN);
        assertThat(countingJob(other, otherJournal).run(NIGHT)).isEqualTo(Outcome.DONE_BEFORE);
        assertThat(countingJob(other, otherJournal).run(NIGHT.plusDays(1))).isEqualTo(Outcome.RAN);
        assertThat(runs).hasValue(2);
    }

    @Test
    void run_thatFails_isNotEntered_andLeavesTheLockFree() throws Exception {
        NightlyJob failing = new NightlyJob(one, "mail", oneJournal, lease -> {
            throw new IllegalStateException("no mail server");
        });
        assertThatThrownBy(() -> failing.run(NIGHT)).hasMessage("no mail server");
        assertThat(countingJob(other, otherJournal).run(NIGHT)).isEqualTo(Outcome.RAN);
    }

    @Test
    void main_twice_entersOnce() throws Exception {
        Path shared = directory.resolve("main");
        NightlyJob.main(new String[] {shared.toString()});
        NightlyJob.main(new String[] {shared.toString()});
        try (Journal journal = new Journal("jdbc:sqlite:" + shared.resolve("journal.db"))) {
            assertThat(journal.isDone(LocalDate.now(ZoneOffset.UTC))).isTrue();
        }
    }

    private NightlyJob countingJob(Baton baton, Journal journal) {
        return new NightlyJob(baton, "mail", journal, lease -> runs.incrementAndGet());
    }

    private static Outcome run(NightlyJob job) {
        try {
            return job.run(NIGHT);
        } catch (SQLException e) {
            throw new IllegalStateException(e);
        }
    }

    private static void await(CountDownLatch latch) {
        try {
            latch.await();
        } catch (InterruptedException e) {
            throw new IllegalStateException(e);
        }
    }
}
