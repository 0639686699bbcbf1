package dev.baton.bench;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.function.Function;
import java.util.stream.Collectors;

/**
 * Sums up the results in three sentences: where Baton is ahead, where it is behind or level, and how sure that is.
 *
 * @param results the results to sum up
 * @param conditions the conditions under which they were measured
 */
record Summary(Results results, Conditions conditions) {
    /** One comparison with a peer: how many times as good Baton is, by the end of the interval that promises least. */
    private record Comparison(Standing standing, double promised) {}

    List<String> sentences() {
        Map<String, List<Comparison>> peers = comparisons();
        boolean isTold = peers.values().stream()
                .flatMap(List::stream)
                .anyMatch(comparison -> comparison.standing != Standing.UNKNOWN);
        if (isTold) {
            return List.of(ahead(peers), behind(peers), certainty());
        }
        return List.of(
                peers.isEmpty()
                        ? "Baton was compared with no other lock."
                        : "How Baton compares with " + and(List.copyOf(peers.keySet()))
                                + " cannot be told from this run.",
                "So nothing is said about where it does worse.",
                certainty());
    }

    private Map<String, List<Comparison>> comparisons() {
        Map<String, List<Comparison>> peers = new LinkedHashMap<>();
        for (Row row : results.rows()) {
            Estimate ratio = results.estimate(row);
            double promised = row.metric().moreIsBetter() ? ratio.low() : 1 / ratio.high();
            row.peer()
                    .ifPresent(peer -> peers.computeIfAbsent(peer.words(), any -> new ArrayList<>())
                            .add(new Comparison(Standing.of(row.metric(), ratio), promised)));
        }
        return peers;
    }

    private static String ahead(Map<String, List<Comparison>> peers) {
        String won = listed(peers, Standing.AHEAD, some -> range("at least ", some));
        return won.isEmpty() ? "Baton did better than none of its peers." : "Baton did better than " + won + ".";
    }

    private static String behind(Map<String, List<Comparison>> peers) {
        String lost = listed(peers, Standing.BEHIND, some -> range("at worst ", some));
        String level = listed(peers, Standing.LEVEL, some -> "");
        return "It did worse than " + (lost.isEmpty() ? "none of them" : lost) + ", and "
                + (level.isEmpty()
                        ? "no comparison was too close to call."
                        : "was too close to call with " + level + ".");
    }

    /** Names each peer with such comparisons: "Redisson RLock in 3 of 4 comparisons (at least 1.5 to 9 times)". */
    private static String listed(
            Map<String, List<Comparison>> peers, Standing standing, Function<List<Comparison>, String> range) {
        List<String> parts = new ArrayList<>();
        peers.forEach((peer, all) -> {
            List<Comparison> some =
                    all.stream().filter(each -> each.standing == standing).toList();
            if (!some.isEmpty()) {
                String share = Lines.glue("in %d of %d".formatted(some.size(), all.size()));
                parts.add(peer + " " + share + (parts.isEmpty() ? " comparisons" : "") + range.apply(some));
            }
        });
        return and(parts);
    }

    private static String and(List<String> parts) {
        int last = parts.size() - 1;
        return last < 1
                ? String.join("", parts)
                : String.join(", ", parts.subList(0, last)) + " and " + parts.get(last);
    }

    private static String range(String bound, List<Comparison> some) {
        String ends = some.stream()
                .map(Comparison::promised)
                .sorted()
                .map(Figures::shortly)
                .distinct()
                .collect(Collectors.collectingAndThen(
                        Collectors.toList(),
                        all -> all.size() < 2 ? all.get(0) : all.get(0) + " to " + all.get(all.size() - 1)));
        return " (" + bound + ends + Lines.GLUE + "times as good)";
    }

    private String certainty() {
        int rounds = conditions.pace().rounds();
        boolean isLonger = results.trials().keySet().stream().anyMatch(Trial::isLong);
        String rest = rounds < 2
                ? "which gives no interval, so that nothing of this is sure"
                : "in nine runs of ten each true figure is in its interval, " + widest();
        long missing = results.rows().stream()
                .filter(row -> Double.isNaN(results.estimate(row).value()))
                .count();
        return "This rests on "
                + Lines.glue(rounds + (rounds == 1 ? " round" : " rounds"))
                + " of " + Setup.time(conditions.pace().turn()) + (isLonger ? " or longer: " : ": ") + rest
                + (missing == 0 ? "" : ", " + missing + " of " + results.rows().size() + " rows could not be measured")
                + ", and " + load() + ".";
    }

    /** Names the least certain ratio. */
    private String widest() {
        return results.rows().stream()
                .filter(row -> row.peer().isPresent())
                .map(results::estimate)
                .mapToDouble(ratio -> Math.sqrt(ratio.high() / ratio.low()))
                .filter(Double::isFinite)
                .max()
                .stream()
                .mapToObj(
                        factor -> "the widest of which reaches a factor of " + Figures.shortly(factor) + " either way")
                .findFirst()
                .orElse("none of which is a ratio");
    }

    private String load() {
        Load load = conditions.load();
        double most = Math.max(load.before(), load.most());
        if (Double.isNaN(most)) {
            return "what other programs did on this machine is not known";
        }
        String took = "other programs took at most " + Load.percent(most) + " of the processors";
        return load.isBusy()
                ? String.format(
                        Locale.ROOT,
                        "%s (%d of %d turns were disturbed), so measure again on a quiet machine before you quote this",
                        took,
                        load.busyTurns(),
                        load.turns())
                : took + ", which is quiet";
    }
}
