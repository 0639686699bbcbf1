package dev.baton.bench;

import dev.baton.bench.jvm.Stopwatch;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.function.Supplier;

/** All clients of a contestant, in one JVM or several, open for a whole trial. */
final class Crew implements AutoCloseable {
    /** The time between two checks for a failed thread. */
    static final long STEP_NANOS = 2_000_000;

    /** A step that all teams do at the same time. */
    @FunctionalInterface
    private interface Step<T> {
        T of(Team team) throws Exception;
    }

    private final Trial trial;
    private final Contestant contestant;
    private final Supplier<Usage> server;
    private final List<Team> teams = new ArrayList<>();
    private final ExecutorService captains = Executors.newCachedThreadPool(Crew::daemon);

    private Crew(Trial trial, Contestant contestant, Supplier<Usage> server) {
        this.trial = trial;
        this.contestant = contestant;
        this.server = server;
    }

    private static Thread daemon(Runnable task) {
        Thread thread = new Thread(task, "bench-captain");
        thread.setDaemon(true);
        return thread;
    }

    /**
     * Opens all clients.
     *
     * @param jvms the largest number of JVMs over which they are spread
     */
    static Crew open(
            Trial trial, Contestant contestant, Stage stage, Supplier<Usage> server, Team.Opener opener, int jvms)
            throws Exception {
        Crew crew = new Crew(trial, contestant, server);
        try {
            int parts = Math.min(jvms, trial.clients());
            for (int i = 0; i < parts; i++) {
                int from = trial.clients() * i / parts;
                int to = trial.clients() * (i + 1) / parts;
                crew.teams.add(opener.open(trial, contestant, stage, from, to));
            }
            return crew;
        } catch (Exception e) {
            crew.close();
            throw e;
        }
    }

    String title() {
        return contestant.words() + ": " + trial.words();
    }

    Contestant contestant() {
        return contestant;
    }

    Sample run(Duration time) throws Exception {
        try (Board board = Board.create()) {
            try {
                return run(time, board);
            } finally {
                board.stop();
            }
        }
    }

    private Sample run(Duration time, Board board) throws Exception {
        all(begin(team -> {
            team.ready(board);
            return true;
        }));
        Usage before = server.get();
        List<Future<Part>> running = begin(team -> team.run(time));
        Stopwatch watch = Stopwatch.started();
        while (board.isRunning() && watch.nanos() < time.toNanos()) {
            Stopwatch.rest(Math.min(STEP_NANOS, time.toNanos() - watch.nanos()));
        }
        board.stop();
        List<Part> parts = all(running);
        Usage used = server.get().since(before);
        all(begin(team -> {
            team.leave();
            return true;
        }));
        Sample sample = Sample.of(parts, used);
        trial.section().apply(board).check((long) sample.total());
        return sample;
    }

    private <T> List<Future<T>> begin(Step<T> step) {
        return teams.stream().map(team -> captains.submit(() -> step.of(team))).toList();
    }

    /** Waits for all teams, and then throws the failure of one of them. Each team bounds its own time. */
    private static <T> List<T> all(List<Future<T>> begun) throws Exception {
        List<T> results = new ArrayList<>();
        Exception failure = null;
        for (Future<T> each : begun) {
            try {
                results.add(each.get());
            } catch (ExecutionException e) {
                failure = e.getCause() instanceof Exception cause ? cause : e;
            }
        }
        if (failure != null) {
            throw failure;
        }
        return results;
    }

    @Override
    public void close() {
        teams.forEach(Team::close);
        captains.shutdownNow();
    }
}
