package dev.baton.chaos.zoo;

import static org.assertj.core.api.Assertions.assertThat;

import dev.baton.chaos.history.HostTime;
import dev.baton.chaos.zoo.BatonDesign.Records;
import dev.baton.spi.Note;
import dev.baton.spi.NoteView;
import dev.baton.spi.Stamp;
import java.nio.charset.StandardCharsets;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

/** The records of jobs reach the store, and come from it, as a design says. */
class JobRecordsTest {
    private static final String BEGUN = "baton-job 1\n120 2 900 - RUNNING one machine\n100 1 800 5 FAILED another\n";

    private static Note note(String text) {
        return new Note(7, 1, text.getBytes(StandardCharsets.UTF_8));
    }

    private static String text(Note note) {
        return new String(note.bytes(), StandardCharsets.UTF_8);
    }

    private static String read(Records records, String text) {
        NoteView view = new NoteView(new Stamp("run", 1, 0), Optional.of(note(text)));
        return text(new JobRecords(records).read(view).note().orElseThrow());
    }

    @Test
    void record_isChangedByTheBrokenOnesAlone() {
        for (Records records : Records.values()) {
            assertThat(text(new JobRecords(records).written(note(BEGUN))).equals(BEGUN))
                    .as("%s, while the clock is right", records)
                    .isEqualTo(records != Records.DONE_WHEN_IT_BEGINS);
            assertThat(read(records, BEGUN)).as("%s", records).isEqualTo(BEGUN);
            assertThat(text(new JobRecords(records).written(note("120 - RUNNING"))))
                    .as("a note that is no record")
                    .isEqualTo("120 - RUNNING");
        }
    }

    @Test
    void beginning_isWrittenAsASuccess() {
        Note written = new JobRecords(Records.DONE_WHEN_IT_BEGINS).written(note(BEGUN));
        assertThat(text(written))
                .isEqualTo("baton-job 1\n120 2 900 0 SUCCEEDED one machine\n100 1 800 5 FAILED another\n");
        assertThat(written.token()).isEqualTo(7);
    }

    /** As the record of a job that has run often. */
    @Test
    void recordThatBecomesLonger_losesItsOldestRun() {
        String begun = "baton-job 1\n120 2 900 - RUNNING one machine\n";
        String older = "100 1 800 5 SUCCEEDED another\n";
        String full = begun + older.repeat((Note.MAX_BYTES - begun.length()) / older.length());
        String padded = full.stripTrailing() + "!".repeat(Note.MAX_BYTES - full.length()) + '\n';
        assertThat(padded).hasSize(Note.MAX_BYTES);

        String written = text(new JobRecords(Records.DONE_WHEN_IT_BEGINS).written(note(padded)));
        assertThat(written.lines()).hasSize((int) padded.lines().count() - 1);
        assertThat(written).contains("120 2 900 0 SUCCEEDED one machine\n");
    }

    @Test
    void fireTime_isThatOfTheClientsClock_andWhatIsYetToComeIsNone() {
        assertThat(Records.BY_THE_CLIENTS_CLOCK.written("120 2 900 - RUNNING x", 3_000))
                .isEqualTo("3120 2 900 - RUNNING x");
        assertThat(Records.BY_THE_CLIENTS_CLOCK.read("3120 2 900 - RUNNING x", 3_000))
                .isEqualTo("120 2 900 - RUNNING x");
        long later = TimeUnit.NANOSECONDS.toMillis(HostTime.nanos()) + 60_000;
        assertThat(read(Records.BY_THE_CLIENTS_CLOCK, "baton-job 1\n" + later + " 1 900 - RUNNING x\n"))
                .isEqualTo("baton-job 1\n");
    }
}
