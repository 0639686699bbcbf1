package dev.baton.chaos.report;

import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * How long the clients needed after all faults of a name.
 *
 * @param fault its name
 * @param times how often it happened
 * @param withoutGrant how often the run ended before the next grant
 * @param median time from its end to the next grant, the upper one of two; empty if there was no grant
 * @param worst time from its end to the next grant; empty if there was no grant
 * @param longestWait of the callers whose wait overlapped it
 * @param lost holds that overlapped it and were lost
 * @param contended contended holds that overlapped it; a hold that overlapped it twice counts twice
 */
record Recoveries(
        String fault,
        int times,
        long withoutGrant,
        Optional<Duration> median,
        Optional<Duration> worst,
        Duration longestWait,
        long lost,
        long contended) {
    /** Returns one for each name, in the order in which the faults first happened. */
    static List<Recoveries> byFault(List<Recovery> all) {
        Map<String, List<Recovery>> byName = new LinkedHashMap<>();
        all.forEach(each -> byName.computeIfAbsent(each.fault().fault().id(), name -> new ArrayList<>())
                .add(each));
        List<Recoveries> sums = new ArrayList<>();
        byName.forEach((name, each) -> sums.add(of(name, each)));
        return sums;
    }

    private static Recoveries of(String name, List<Recovery> each) {
        List<Duration> sorted =
                each.stream().flatMap(one -> one.untilGrant().stream()).sorted().toList();
        int count = sorted.size();
        return new Recoveries(
                name,
                each.size(),
                each.size() - count,
                median(sorted),
                count == 0 ? Optional.empty() : Optional.of(sorted.get(count - 1)),
                each.stream()
                        .map(Recovery::longestWait)
                        .max(Duration::compareTo)
                        .orElse(Duration.ZERO),
                each.stream().mapToLong(Recovery::lost).sum(),
                each.stream().mapToLong(Recovery::contended).sum());
    }

    /** Returns the one in the middle, the upper one of two. */
    static <T> Optional<T> median(List<T> sorted) {
        return sorted.isEmpty() ? Optional.empty() : Optional.of(sorted.get(sorted.size() / 2));
    }
}
