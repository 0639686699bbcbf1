package dev.baton.redis;

import dev.baton.spi.Protocol;
import dev.baton.spi.Resource;
import dev.baton.spi.ResourceView;
import dev.baton.spi.Stamp;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;

/** Makes one view of those that the members of a quorum have of a name: what a majority has. */
final class QuorumViews {
    private record Holder(Resource resource, String client, long token) {}

    private QuorumViews() {}

    /** Merges the views of many names; returns those that are held or kept, in the order of their names. */
    static List<ResourceView> mergeAll(Quorum quorum, List<ResourceView> views, Stamp stamp) {
        Map<String, List<ResourceView>> byName = new TreeMap<>(Protocol.NAME_ORDER);
        views.forEach(view -> byName.computeIfAbsent(view.resource().name(), name -> new ArrayList<>())
                .add(view));
        return byName.values().stream()
                .flatMap(each -> merge(quorum, each, stamp).stream())
                .toList();
    }

    /** Merges the views of one name; empty if no majority holds it, and none keeps it from being granted. */
    static Optional<ResourceView> merge(Quorum quorum, List<ResourceView> views, Stamp stamp) {
        Map<Holder, List<ResourceView.Hold>> holders = new LinkedHashMap<>();
        for (ResourceView view : views) {
            for (ResourceView.Hold hold : view.holds()) {
                // Each member has a clock of its own.
                long life = hold.deadlineMicros() - view.stamp().nowMicros();
                holders.computeIfAbsent(
                                new Holder(view.resource(), hold.client(), hold.token()), each -> new ArrayList<>())
                        .add(until(stamp.nowMicros() + life, hold));
            }
        }
        // A majority is free when the others do not make one: those are that keep it for the longest time.
        long rest = quorum.ofMajority(
                views.stream().filter(view -> view.holds().isEmpty()).mapToLong(ResourceView::restMicros));
        return holders.entrySet().stream()
                .filter(each -> quorum.isMajority(each.getValue().size()))
                .findFirst()
                .map(each -> new ResourceView(
                        each.getKey().resource(), stamp, List.of(merged(quorum, each.getValue())), List.of(), 0))
                .or(() -> rest == 0
                        ? Optional.empty()
                        : Optional.of(new ResourceView(views.get(0).resource(), stamp, List.of(), List.of(), rest)));
    }

    private static ResourceView.Hold merged(Quorum quorum, List<ResourceView.Hold> same) {
        List<ResourceView.Hold> byLife = same.stream()
                .sorted(Comparator.comparingLong(ResourceView.Hold::deadlineMicros)
                        .reversed())
                .toList();
        ResourceView.Hold shown = byLife.get(quorum.majority() - 1);
        long revoked = same.stream().filter(ResourceView.Hold::revoked).count();
        return new ResourceView.Hold(
                shown.client(),
                shown.attempt(),
                shown.weight(),
                shown.token(),
                shown.deadlineMicros(),
                shown.lockDelayMicros(),
                shown.claimed(),
                quorum.isMajority(revoked),
                mostCommonDescription(same));
    }

    /** A member that was not heard of in time for the last heartbeat still has the description from before. */
    private static String mostCommonDescription(List<ResourceView.Hold> same) {
        List<String> all = same.stream().map(ResourceView.Hold::description).toList();
        return all.stream()
                .max(Comparator.comparingInt(each -> Collections.frequency(all, each)))
                .orElse("");
    }

    private static ResourceView.Hold until(long deadlineMicros, ResourceView.Hold hold) {
        return new ResourceView.Hold(
                hold.client(),
                Ballot.number(hold.description(), hold.attempt()),
                hold.weight(),
                hold.token(),
                deadlineMicros,
                hold.lockDelayMicros(),
                hold.claimed(),
                hold.revoked(),
                Ballot.without(hold.description()));
    }
}
