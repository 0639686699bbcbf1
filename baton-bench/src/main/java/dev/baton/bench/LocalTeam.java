package dev.baton.bench;

import dev.baton.bench.Contestant.Client;
import dev.baton.bench.Contestant.Worker;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** A team in this JVM. */
final class LocalTeam implements Team {
    private final Trial trial;
    private final List<Client> clients = new ArrayList<>();
    private final List<List<Worker>> workers = new ArrayList<>();
    private @Nullable Turn turn;

    private LocalTeam(Trial trial) {
        this.trial = trial;
    }

    static LocalTeam open(Trial trial, Contestant contestant, Stage stage, int from, int to) throws Exception {
        LocalTeam team = new LocalTeam(trial);
        try {
            for (int i = from; i < to; i++) {
                team.add(contestant, stage.of(trial.clients(), i));
            }
            return team;
        } catch (Exception e) {
            team.close();
            throw e;
        }
    }

    private void add(Contestant contestant, Stage stage) throws Exception {
        Client client = contestant.opener().open(stage);
        clients.add(client);
        List<Worker> threads = new ArrayList<>();
        for (int i = 0; i < trial.threads(); i++) {
            threads.add(client.worker(trial.names(contestant, stage.index(), i)));
        }
        workers.add(threads);
    }

    @Override
    public void ready(Board board) throws Exception {
        end();
        turn = new Turn(workers, trial.section().apply(board), board);
        turn.ready();
    }

    @Override
    public Part run(Duration atMost) throws Exception {
        return current().run();
    }

    @Override
    public void leave() throws Exception {
        current().leave();
        end();
    }

    private Turn current() {
        if (turn == null) {
            throw new IllegalStateException("nothing is ready");
        }
        return turn;
    }

    private void end() {
        if (turn != null) {
            turn.close();
            turn = null;
        }
    }

    @Override
    public void close() {
        end();
        clients.forEach(Client::close);
    }
}
