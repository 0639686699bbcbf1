package dev.baton.bench;

import dev.baton.bench.Contestant.Client;
import dev.baton.bench.Contestant.Worker;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Supplier;

/** A contestant with all its clients, open for a whole trial. */
final class Crew implements AutoCloseable {
    private final Trial trial;
    private final Contestant contestant;
    private final boolean seenByServer;
    private final List<Client> clients = new ArrayList<>();
    private final List<List<Worker>> workers = new ArrayList<>();

    private Crew(Trial trial, Contestant contestant, boolean seenByServer) {
        this.trial = trial;
        this.contestant = contestant;
        this.seenByServer = seenByServer;
    }

    static Crew open(Trial trial, Contestant contestant, Stage stage) throws Exception {
        Crew crew = new Crew(trial, contestant, stage.isSeenByServer(contestant));
        try {
            for (int i = 0; i < trial.clients(); i++) {
                crew.add(contestant.opener().open(stage.of(trial.clients(), i)));
            }
            return crew;
        } catch (Exception e) {
            crew.close();
            throw e;
        }
    }

    private void add(Client client) throws Exception {
        int index = clients.size();
        clients.add(client);
        List<Worker> threads = new ArrayList<>();
        for (int i = 0; i < trial.threads(); i++) {
            threads.add(client.worker(trial.names(contestant, index, i)));
        }
        workers.add(threads);
    }

    String title() {
        return trial.title() + ", " + contestant.name();
    }

    Contestant contestant() {
        return contestant;
    }

    Sample run(Duration time, Supplier<Usage> server) throws InterruptedException {
        try (Slice slice = new Slice(workers, trial.section().get())) {
            return slice.run(time, seenByServer ? server : () -> Usage.UNKNOWN);
        }
    }

    @Override
    public void close() {
        clients.forEach(Client::close);
    }
}
