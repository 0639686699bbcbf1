package dev.baton.chaos.history;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.tuple;

import dev.baton.chaos.history.Hold.End;
import dev.baton.chaos.history.Hold.Fence;
import dev.baton.chaos.history.Hold.Work;
import dev.baton.tck.history.Portion;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.time.Duration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What is written can be read, also after the writer has died. */
class HistoryTest {
    @TempDir
    private Path directory;

    @Test
    void history_isReadAsItWasWritten() throws Exception {
        Work work = new Work(Fence.REFUSED_WHILE_HELD, 4, 5, true);
        try (HistoryWriter writer = new HistoryWriter(HistoryReader.file(directory, 7))) {
            long first = writer.began("x", 42, "TIMED", 100, 110, Portion.LOCK);
            long second = writer.began("y", 43, "TRY", 120, 130, Portion.permits(2, 5));
            writer.lost(second, "EXPIRED");
            writer.ended(first, 115, 117, End.RELEASED, work);
            writer.failed("y", HostTime.nanos(), new IllegalStateException("two words\nand a line"));
            writer.refused();
            writer.last(3, "x", 1_000, true);
        }
        History history = HistoryReader.read(directory);
        assertThat(history.holds())
                .containsExactlyInAnyOrder(
                        new Hold(7, 1, "x", 42, "TIMED", 100, 110, 115, 117, 117, End.RELEASED, work),
                        new Hold(
                                7,
                                2,
                                "y",
                                43,
                                "TRY",
                                120,
                                130,
                                120,
                                Hold.NEVER,
                                Hold.NEVER,
                                End.DIED,
                                Work.NONE,
                                Portion.permits(2, 5)));
        assertThat(history.losses()).extracting(Loss::cause).containsExactly("EXPIRED");
        assertThat(history.troubles()).extracting(Trouble::message).containsExactly("two words and a line");
        assertThat(history.finals()).extracting(Final::granted).containsExactly(true);
        assertThat(history.refused()).isEqualTo(1);
    }

    @Test
    void notesAndRuns_areReadAsTheyWereWritten() throws Exception {
        long run;
        try (HistoryWriter writer = new HistoryWriter(HistoryReader.file(directory, 7))) {
            writer.noted(1, new Noted.Read(true, "42"), Noted.Write.WRITTEN);
            writer.noted(2, new Noted.Read(true, ""), Noted.Write.NONE);
            writer.noted(3, Noted.Read.UNKNOWN, Noted.Write.UNSURE);
            run = writer.run("job-1", 100, 1, Run.NONE, () -> true);
            writer.run("job-1", 120, 2, 100, () -> false);
            writer.worked(run);
            writer.ran(run);
        }
        History history = HistoryReader.read(directory);
        assertThat(history.notes())
                .containsExactly(
                        new Noted(7, 1, new Noted.Read(true, "42"), Noted.Write.WRITTEN),
                        new Noted(7, 2, new Noted.Read(true, ""), Noted.Write.NONE),
                        new Noted(7, 3, Noted.Read.UNKNOWN, Noted.Write.UNSURE));
        assertThat(history.runs())
                .extracting(
                        Run::client,
                        Run::job,
                        Run::fireTime,
                        Run::attempt,
                        Run::lastSuccess,
                        Run::held,
                        Run::isRecorded)
                .containsExactlyInAnyOrder(
                        tuple(7, "job-1", 100L, 1, Run.NONE, true, true),
                        tuple(7, "job-1", 120L, 2, 100L, false, false));
        assertThat(history.runs())
                .allMatch(each -> each.beganNanos() <= each.workedNanos() && each.workedNanos() <= each.endedNanos());
        assertThat(history.runs()).filteredOn(Run::isRecorded).allMatch(each -> each.workedNanos() < Hold.NEVER);
    }

    /** The end of the run before it may be in a file that was read before. */
    @Test
    void runThatBeganWhileFilesWereRead_isOfTheNextReading() throws Exception {
        long later = HostTime.nanos() + 50_000_000;
        Files.writeString(HistoryReader.file(directory, 1), "run 1 job-1 100 1 80 " + later + " 1\n");
        HistoryReader reader = new HistoryReader(directory);
        assertThat(reader.read().runs()).isEmpty();
        HostTime.sleep(Duration.ofNanos(later - HostTime.nanos()));
        assertThat(reader.read().runs()).extracting(Run::lastSuccess).containsExactly(80L);
    }

    @Test
    void reader_goesOnWhereItStopped() throws Exception {
        HistoryReader reader = new HistoryReader(directory);
        try (HistoryWriter writer = new HistoryWriter(HistoryReader.file(directory, 1))) {
            long first = writer.began("x", 1, "TRY", 100, 110, Portion.writer(true));
            assertThat(reader.read().holds()).extracting(Hold::end).containsExactly(End.DIED);
            writer.ended(first, 115, 117, End.DOWNGRADED, Work.NONE);
            writer.refused();
            assertThat(reader.read().holds()).extracting(Hold::end).containsExactly(End.DOWNGRADED);
            assertThat(reader.read().holds()).extracting(Hold::portion).containsExactly(Portion.writer(true));
            assertThat(reader.read().holds()).extracting(Hold::goneNanos).containsExactly(117L);
        }
        // A client that is just writing.
        Path half = HistoryReader.file(directory, 2);
        Files.writeString(half, "refu");
        assertThat(reader.read().refused()).isEqualTo(1);
        Files.writeString(half, "sed\n", StandardOpenOption.APPEND);
        assertThat(reader.read().refused()).isEqualTo(2);
        assertThat(reader.read().holds()).hasSize(1);
    }

    @Test
    void interruptedCaller_writesOn() throws Exception {
        try (HistoryWriter writer = new HistoryWriter(HistoryReader.file(directory, 1))) {
            Thread.currentThread().interrupt();
            writer.refused();
            assertThat(Thread.interrupted()).isTrue();
            writer.refused();
        }
        assertThat(HistoryReader.read(directory).refused()).isEqualTo(2);
    }

    @Test
    void register_refusesOlderTokens_andIsSharedByAllThatMapIt() throws Exception {
        Witness one = Witness.in(directory, 2);
        Witness other = Witness.in(directory, 2);
        assertThat(one.accepts(1, 10)).isTrue();
        assertThat(other.accepts(1, 9)).isFalse();
        assertThat(other.accepts(0, 9)).isTrue();
        assertThat(other.isNewest(1, 9)).isFalse();
        assertThat(other.isNewest(1, 11)).isTrue();
        assertThat(other.accepts(1, 10))
                .as("a token that is only compared is not kept")
                .isTrue();
        one.write(1, 5);
        assertThat(other.read(1)).isEqualTo(5);
        one.count(3);
        assertThat(other.holds()).isEqualTo(1);
    }
}
