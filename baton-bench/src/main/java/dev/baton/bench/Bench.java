package dev.baton.bench;

import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.function.Supplier;

/**
 * Runs trials: all contestants of a trial are open at once, and take turns in each round.
 *
 * @param stage the addresses that clients connect to
 * @param servers returns, for a home, a supplier of the usage that its server has counted so far
 * @param teams opens the clients
 * @param jvms the largest number of JVMs over which the clients of a contestant are spread
 * @param pace the length and the number of turns
 * @param load watches the load from other programs
 * @param progress receives lines that report progress
 */
record Bench(
        Stage stage,
        Function<Home, Supplier<Usage>> servers,
        Team.Opener teams,
        int jvms,
        Pace pace,
        LoadWatch load,
        Consumer<String> progress) {

    /**
     * The length and the number of turns.
     *
     * @param warmUp how long each contestant works before anything counts
     * @param turn the length of one turn, unless the trial needs longer ones
     * @param rounds the number of turns that each contestant has
     */
    record Pace(Duration warmUp, Duration turn, int rounds) {
        Duration turnOf(Trial trial) {
            return trial.atLeast().compareTo(turn) > 0 ? trial.atLeast() : turn;
        }

        /** Returns how long a trial takes, without opening and closing clients. */
        Duration of(Trial trial, int contestants) {
            return warmUp.plus(turnOf(trial).multipliedBy(rounds)).multipliedBy(contestants);
        }
    }

    /** Returns the rows whose contestants can all take part. */
    private List<Row> runnable(List<Row> rows) {
        return rows.stream()
                .filter(row -> row.contestants().stream().allMatch(contestant -> stage.has(contestant.home())))
                .toList();
    }

    /** Measures each trial once, even if several rows need it. */
    Results run(List<Row> rows) throws InterruptedException {
        List<Row> possible = runnable(rows);
        Map<Trial, Set<Contestant>> wanted = new LinkedHashMap<>();
        possible.forEach(row -> wanted.computeIfAbsent(row.trial(), any -> new LinkedHashSet<>())
                .addAll(row.contestants()));
        Duration left = wanted.entrySet().stream()
                .map(each -> pace.of(each.getKey(), each.getValue().size()))
                .reduce(Duration.ZERO, Duration::plus);
        Results results = new Results(possible, new LinkedHashMap<>());
        int number = 0;
        for (Map.Entry<Trial, Set<Contestant>> entry : wanted.entrySet()) {
            Trial trial = entry.getKey();
            number++;
            progress.accept("measurement %d of %d, about %d s to go: %s"
                    .formatted(number, wanted.size(), left.toSeconds(), trial.words()));
            results.trials().put(trial, measure(trial, entry.getValue()));
            left = left.minus(pace.of(trial, entry.getValue().size()));
        }
        return results;
    }

    private Map<Contestant, List<Sample>> measure(Trial trial, Collection<Contestant> contestants)
            throws InterruptedException {
        List<Crew> crews = new ArrayList<>();
        try {
            for (Contestant contestant : contestants) {
                open(trial, contestant).ifPresent(crews::add);
            }
            for (Crew crew : List.copyOf(crews)) {
                turn(crews, crew, "warm-up", pace.warmUp());
            }
            return takeTurns(crews, pace.turnOf(trial));
        } finally {
            crews.forEach(Crew::close);
        }
    }

    private Map<Contestant, List<Sample>> takeTurns(List<Crew> crews, Duration time) throws InterruptedException {
        Map<Crew, List<Sample>> samples = new LinkedHashMap<>();
        for (int round = 1; round <= pace.rounds(); round++) {
            for (Crew crew : Rotation.order(crews, round - 1)) {
                turn(crews, crew, "round " + round + "/" + pace.rounds(), time)
                        .ifPresent(sample -> samples.computeIfAbsent(crew, any -> new ArrayList<>())
                                .add(sample));
            }
        }
        Map<Contestant, List<Sample>> complete = new LinkedHashMap<>();
        crews.forEach(crew -> complete.put(crew.contestant(), samples.getOrDefault(crew, List.of())));
        return complete;
    }

    /** Opens a contestant. Returns empty if that fails; the other contestants are still measured. */
    private Optional<Crew> open(Trial trial, Contestant contestant) throws InterruptedException {
        try {
            Supplier<Usage> server = servers.apply(stage.resolve(contestant.home()));
            return Optional.of(Crew.open(trial, contestant, stage, server, teams, jvms));
        } catch (InterruptedException e) {
            throw e;
        } catch (Exception e) {
            progress.accept("%s: %s failed: %s".formatted(contestant.words(), trial.words(), e));
            return Optional.empty();
        }
    }

    /** Runs a turn. Returns empty if it fails; the crew is then closed and has no more turns. */
    private Optional<Sample> turn(List<Crew> crews, Crew crew, String when, Duration time) throws InterruptedException {
        try {
            load.begin();
            Sample sample = crew.run(time);
            load.end(when + " of " + crew.contestant().words());
            progress.accept("  %s: %s: %s operations/s"
                    .formatted(when, crew.contestant().words(), Figures.shortly(Metric.RATE.of(sample))));
            return Optional.of(sample);
        } catch (InterruptedException e) {
            throw e;
        } catch (Exception e) {
            progress.accept("%s: %s failed: %s".formatted(crew.title(), when, e.getMessage()));
            crews.remove(crew);
            crew.close();
            return Optional.empty();
        }
    }
}
