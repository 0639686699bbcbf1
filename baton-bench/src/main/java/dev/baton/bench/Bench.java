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
 * @param remote the addresses that clients connect to, and how far away they are
 * @param servers returns, for a home, a supplier of the usage that its server has counted so far
 * @param teams opens the clients
 * @param jvms the largest number of JVMs over which the clients of a contestant are spread
 * @param pace the length and the number of turns
 * @param load watches the load from other programs
 * @param progress receives lines that report progress
 */
record Bench(
        Remoteness remote,
        Function<Home, Supplier<Usage>> servers,
        Team.Opener teams,
        int jvms,
        Pace pace,
        LoadWatch load,
        Consumer<String> progress) {

    /**
     * The length and the number of turns.
     *
     * @param warmUp how long each contestant works before anything counts; at a distance it first works as long near the
     *     servers
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

    private Stage stage() {
        return Stage.at(remote.addresses());
    }

    /** Returns the rows whose contestants can all take part. */
    private List<Row> runnable(List<Row> rows) {
        return rows.stream()
                .filter(row -> row.contestants().stream().allMatch(contestant -> stage().has(contestant.home())))
                .toList();
    }

    /** Measures each trial once, even if several rows need it. */
    Results run(List<Row> rows) throws InterruptedException {
        List<Row> possible = runnable(rows);
        Map<Trial, Set<Contestant>> wanted = new LinkedHashMap<>();
        possible.forEach(row -> wanted.computeIfAbsent(row.trial(), any -> new LinkedHashSet<>())
                .addAll(row.contestants()));
        Duration left = wanted.entrySet().stream()
                .map(each -> timeOf(each.getKey(), each.getValue().size()))
                .reduce(Duration.ZERO, Duration::plus);
        Results results = new Results(possible, new LinkedHashMap<>());
        int number = 0;
        for (Map.Entry<Trial, Set<Contestant>> entry : wanted.entrySet()) {
            Trial trial = entry.getKey();
            number++;
            progress.accept("measurement %d of %d, about %d s to go: %s"
                    .formatted(number, wanted.size(), left.toSeconds(), trial.words()));
            results.trials().put(trial, measure(trial, entry.getValue()));
            left = left.minus(timeOf(trial, entry.getValue().size()));
        }
        return results;
    }

    private Duration timeOf(Trial trial, int contestants) {
        Duration time = pace.of(trial, contestants);
        return remote.distance().isNone() ? time : time.plus(pace.warmUp().multipliedBy(contestants));
    }

    private Map<Contestant, List<Sample>> measure(Trial trial, Collection<Contestant> contestants)
            throws InterruptedException {
        if (!remote.distance().isNone()) {
            warmUpNear(trial, contestants);
        }
        return withCrews(trial, contestants, crews -> {
            warmUp(crews, "warm-up");
            return takeTurns(crews, pace.turnOf(trial));
        });
    }

    /** Compiles the code. The clients are opened anew afterwards: they measure the distance when they connect. */
    private void warmUpNear(Trial trial, Collection<Contestant> contestants) throws InterruptedException {
        remote.bringNear();
        try {
            withCrews(trial, contestants, crews -> {
                warmUp(crews, "warm-up near");
                return crews;
            });
        } finally {
            remote.moveAway();
        }
    }

    private interface Work<T> {
        T with(List<Crew> crews) throws InterruptedException;
    }

    private <T> T withCrews(Trial trial, Collection<Contestant> contestants, Work<T> work) throws InterruptedException {
        List<Crew> crews = new ArrayList<>();
        try {
            for (Contestant contestant : contestants) {
                open(trial, contestant).ifPresent(crews::add);
            }
            return work.with(crews);
        } finally {
            crews.forEach(Crew::close);
        }
    }

    private void warmUp(List<Crew> crews, String when) throws InterruptedException {
        for (Crew crew : List.copyOf(crews)) {
            turn(crews, crew, when, pace.warmUp());
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
            Supplier<Usage> server = servers.apply(stage().resolve(contestant.home()));
            return Optional.of(Crew.open(trial, contestant, stage(), server, teams, jvms));
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
