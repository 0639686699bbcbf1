package dev.baton.bench;

import dev.baton.bench.jvm.ChildJvm;
import dev.baton.bench.jvm.Message;
import java.time.Duration;
import java.util.Map;
import java.util.function.Consumer;

/** A team in a child JVM. */
final class ChildTeam implements Team {
    private static final Message NOTHING = Message.of(Map.of());
    private static final Duration PATIENCE = Turn.PATIENCE.multipliedBy(2);

    private final ChildJvm jvm;
    private final Consumer<ChildJvm> whenDone;
    private boolean broken;

    private ChildTeam(ChildJvm jvm, Consumer<ChildJvm> whenDone) {
        this.jvm = jvm;
        this.whenDone = whenDone;
    }

    /**
     * Opens a team.
     *
     * @param whenDone receives the JVM when the team closes, unless a request failed
     */
    static Team open(
            ChildJvm jvm,
            Consumer<ChildJvm> whenDone,
            Trial trial,
            Contestant contestant,
            Stage stage,
            int from,
            int to)
            throws Exception {
        ChildTeam team = new ChildTeam(jvm, whenDone);
        try {
            Message question = Rows.placeOf(trial, contestant)
                    .with(Child.STAGE, stage.toJson())
                    .with(Child.FROM, from)
                    .with(Child.TO, to);
            team.ask(Child.OPEN, question, Duration.ZERO);
            return team;
        } catch (Exception e) {
            team.close();
            throw e;
        }
    }

    private Message ask(String what, Message with, Duration beyondPatience) throws Exception {
        try {
            return jvm.ask(what, with, PATIENCE.plus(beyondPatience));
        } catch (Exception e) {
            broken = true;
            throw e;
        }
    }

    @Override
    public void ready(Board board) throws Exception {
        ask(Child.READY, NOTHING.with(Child.BOARD, board.file().toString()), Duration.ZERO);
    }

    @Override
    public Part run(Duration atMost) throws Exception {
        return Part.from(ask(Child.RUN, NOTHING, atMost));
    }

    @Override
    public void leave() throws Exception {
        ask(Child.LEAVE, NOTHING, Duration.ZERO);
    }

    @Override
    public void close() {
        try {
            if (!broken) {
                ask(Child.CLOSE, NOTHING, Duration.ZERO);
                whenDone.accept(jvm);
                return;
            }
        } catch (Exception e) {
            // Its results have been read; the JVM is closed below.
            Thread.interrupted();
        }
        jvm.close();
    }
}
