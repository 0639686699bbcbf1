package dev.baton.bench;

import dev.baton.bench.jvm.Answers;
import dev.baton.bench.jvm.ChildJvm;
import dev.baton.bench.jvm.Message;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** The program of a {@link ChildTeam}. */
final class Child {
    static final String OPEN = "open";
    static final String READY = "ready";
    static final String RUN = "run";
    static final String LEAVE = "leave";
    static final String CLOSE = "close";
    static final String ROW = "row";
    static final String PEER = "peer";
    static final String STAGE = "stage";
    static final String FROM = "from";
    static final String TO = "to";
    static final String BOARD = "board";

    private static final Message DONE = Message.of(Map.of());

    private @Nullable Team team;
    private @Nullable Board board;

    private Child() {}

    /**
     * Answers requests until its input ends.
     *
     * @param args none
     * @throws IOException if its output is closed
     */
    public static void main(String[] args) throws IOException {
        Child child = new Child();
        Answers.serve(child::answer, child::close);
    }

    private Message answer(Message question) throws Exception {
        return switch (question.text(ChildJvm.WHAT)) {
            case OPEN -> open(question);
            case READY -> ready(question);
            case RUN -> team().run(Duration.ZERO).toMessage();
            case LEAVE -> leave();
            case CLOSE -> close();
            default -> throw new IllegalArgumentException("no such question: " + question);
        };
    }

    private Message open(Message question) throws Exception {
        Row row = Rows.named(question.text(ROW));
        Contestant contestant = question.is(PEER) ? row.peer().orElseThrow() : row.contestant();
        Stage stage = Stage.fromJson(question.object(STAGE));
        team = LocalTeam.open(row.trial(), contestant, stage, (int) question.number(FROM), (int) question.number(TO));
        return DONE;
    }

    private Message ready(Message question) throws Exception {
        board = Board.open(Path.of(question.text(BOARD)));
        team().ready(board);
        return DONE;
    }

    private Message leave() throws Exception {
        team().leave();
        return DONE;
    }

    private Team team() {
        if (team == null) {
            throw new IllegalStateException("no team was opened");
        }
        return team;
    }

    private Message close() {
        if (team != null) {
            team.close();
            team = null;
        }
        return DONE;
    }
}
