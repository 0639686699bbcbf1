package dev.baton.chaos.zoo;

import dev.baton.spi.Note;
import dev.baton.spi.NoteView;
import java.io.ByteArrayOutputStream;
import java.nio.charset.StandardCharsets;
import java.util.function.UnaryOperator;

/**
 * The notes of jobs, which are records of their runs: one line for the format, and one for each run, newest first, with its
 * fire time, attempt, start, duration, state and runner. Thread-safe.
 */
final class JobRecords {
    private static final String FORMAT = "baton-job ";

    private final BatonDesign.Records records;
    private final OwnClock clock = new OwnClock();

    JobRecords(BatonDesign.Records records) {
        this.records = records;
    }

    /** Returns the note that goes to the store. */
    Note written(Note note) {
        long ahead = clock.aheadMillis();
        return changed(note, run -> records.written(run, ahead));
    }

    /** Returns the note that comes from the store. */
    NoteView read(NoteView view) {
        long ahead = clock.aheadMillis();
        return new NoteView(view.stamp(), view.note().map(note -> changed(note, run -> records.read(run, ahead))));
    }

    /** A line may become longer: the oldest runs go, as always when there is no room. */
    private Note changed(Note note, UnaryOperator<String> change) {
        String text = new String(note.bytes(), StandardCharsets.UTF_8);
        if (records == BatonDesign.Records.AS_WRITTEN || !text.startsWith(FORMAT)) {
            return note;
        }
        ByteArrayOutputStream changed = new ByteArrayOutputStream();
        text.lines()
                .map(line -> line.startsWith(FORMAT) ? line : change.apply(line))
                .filter(line -> !line.isEmpty())
                .map(line -> (line + '\n').getBytes(StandardCharsets.UTF_8))
                .takeWhile(line -> changed.size() + line.length <= Note.MAX_BYTES)
                .forEachOrdered(changed::writeBytes);
        return new Note(note.token(), note.number(), changed.toByteArray());
    }
}
