package dev.baton.chaos.runbook;

import static org.assertj.core.api.Assertions.assertThat;

import dev.baton.BatonEvent;
import dev.baton.LossCause;
import dev.baton.chaos.history.HistoryReader;
import dev.baton.chaos.history.HistoryWriter;
import dev.baton.chaos.history.Said;
import java.nio.file.Path;
import java.time.Duration;
import java.util.logging.Logger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What a client tells an operator is in its history, by the rows of the runbook. */
class NotesTest {
    private static final BatonEvent LOST =
            new BatonEvent(BatonEvent.Type.LOST, "a", 1, Duration.ZERO, null, LossCause.EXPIRED, "");

    @TempDir
    private Path directory;

    private final Logger logger = Logger.getLogger("dev.baton");

    @Test
    void eventsAndLines_areCountedByTheirRows() throws Exception {
        try (HistoryWriter history = new HistoryWriter(HistoryReader.file(directory, 1));
                Notes notes = new Notes(history)) {
            for (int i = 0; i < 3; i++) {
                notes.onEvent(LOST);
                logger.warning("Redis answers again after " + i + " ms of silence");
                logger.warning("line " + i + " that no page explains");
            }
        }
        assertThat(HistoryReader.read(directory).said())
                .containsExactlyInAnyOrder(
                        new Said(1, "LOST EXPIRED", 3),
                        new Said(1, "STORE answers again after N ms of silence", 3),
                        new Said(1, "line N that no page explains", 3));
    }

    @Test
    void theFirstOfAKind_isWrittenAtOnce() throws Exception {
        try (HistoryWriter history = new HistoryWriter(HistoryReader.file(directory, 1));
                Notes notes = new Notes(history)) {
            notes.onEvent(LOST);
            assertThat(HistoryReader.read(directory).told()).containsEntry("LOST EXPIRED", 1L);
        }
    }
}
