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
import java.util.function.Supplier;

/**
 * Runs trials: all contestants of one are open at once and take turns, round after round.
 *
 * @param stage where the clients go
 * @param server asks the server what it has done so far
 * @param warmUp how long each contestant works before anything counts
 * @param slice how long one turn is
 * @param rounds how many turns each contestant has
 * @param progress hears what is going on
 */
record Bench(
        Stage stage, Supplier<Usage> server, Duration warmUp, Duration slice, int rounds, Consumer<String> progress) {

    /** The rows whose contestants can all take part. */
    private List<Row> runnable(List<Row> rows) {
        return rows.stream()
                .filter(row -> row.contestants().stream().allMatch(stage::has))
                .toList();
    }

    /** Measures each trial once, whatever the number of rows that need it. */
    Results run(List<Row> rows) throws InterruptedException {
        List<Row> possible = runnable(rows);
        Map<Trial, Set<Contestant>> wanted = new LinkedHashMap<>();
        possible.forEach(row -> wanted.computeIfAbsent(row.trial(), any -> new LinkedHashSet<>())
                .addAll(row.contestants()));
        Results results = new Results(possible, new LinkedHashMap<>());
        for (Map.Entry<Trial, Set<Contestant>> entry : wanted.entrySet()) {
            results.trials().put(entry.getKey(), measure(entry.getKey(), entry.getValue()));
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
                turn(crews, crew, "warm-up", warmUp);
            }
            return takeTurns(crews);
        } finally {
            crews.forEach(Crew::close);
        }
    }

    private Map<Contestant, List<Sample>> takeTurns(List<Crew> crews) throws InterruptedException {
        Map<Crew, List<Sample>> samples = new LinkedHashMap<>();
        for (int round = 1; round <= rounds; round++) {
            for (Crew crew : List.copyOf(crews)) {
                turn(crews, crew, "round " + round + "/" + rounds, slice)
                        .ifPresent(sample -> samples.computeIfAbsent(crew, any -> new ArrayList<>())
                                .add(sample));
            }
        }
        Map<Contestant, List<Sample>> complete = new LinkedHashMap<>();
        crews.forEach(crew -> complete.put(crew.contestant(), samples.getOrDefault(crew, List.of())));
        return complete;
    }

    /** Empty if it cannot take part; the others are measured all the same. */
    private Optional<Crew> open(Trial trial, Contestant contestant) throws InterruptedException {
        try {
            return Optional.of(Crew.open(trial, contestant, stage));
        } catch (InterruptedException e) {
            throw e;
        } catch (Exception e) {
            progress.accept("%s, %s failed: %s".formatted(trial.title(), contestant.name(), e));
            return Optional.empty();
        }
    }

    /** Empty if it failed; then the crew is closed and has no more turns. */
    private Optional<Sample> turn(List<Crew> crews, Crew crew, String when, Duration time) throws InterruptedException {
        try {
            Sample sample = crew.run(time, server);
            progress.accept("%s, %s: %s/s".formatted(crew.title(), when, Figures.shortly(Metric.RATE.of(sample))));
            return Optional.of(sample);
        } catch (RuntimeException e) {
            progress.accept("%s, %s failed: %s".formatted(crew.title(), when, e.getMessage()));
            crews.remove(crew);
            crew.close();
            return Optional.empty();
        }
    }
}
