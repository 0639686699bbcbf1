package dev.baton.bench;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** The program of a {@link ChildTeam}: it reads one request a line and writes one reply a line, both JSON objects. */
final class Child {
    static final String WHAT = "what";
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
    static final String FAILED = "failed";

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
        PrintStream out = System.out;
        // Output of libraries must not mix with the replies.
        System.setOut(System.err);
        Child child = new Child();
        BufferedReader in = new BufferedReader(new InputStreamReader(System.in, StandardCharsets.UTF_8));
        for (String line = in.readLine(); line != null; line = in.readLine()) {
            out.println(child.answer(Message.parse(line)).line());
            out.flush();
        }
        child.close();
        System.exit(0);
    }

    private Message answer(Message question) {
        try {
            return switch (question.text(WHAT)) {
                case OPEN -> open(question);
                case READY -> ready(question);
                case RUN -> team().run(Duration.ZERO).toMessage();
                case LEAVE -> leave();
                case CLOSE -> close();
                default -> throw new IllegalArgumentException("no such question: " + question);
            };
        } catch (Exception e) {
            e.printStackTrace();
            return Message.of(Map.of(FAILED, String.valueOf(e.getMessage() == null ? e : e.getMessage())));
        }
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
