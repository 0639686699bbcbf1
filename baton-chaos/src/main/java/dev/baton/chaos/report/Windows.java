package dev.baton.chaos.report;

import dev.baton.chaos.check.Evidence;
import dev.baton.chaos.check.Finding;
import dev.baton.chaos.fault.Happened;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * Chooses what pictures show: the first faults, one of each name that comes later, and those with findings. Broken
 * promises come first when there are too many.
 */
final class Windows {
    /** Faults at the beginning that are always shown. */
    static final int FIRST = 6;

    /** Windows of a page, so that it stays small. */
    static final int MOST = 24;

    private static final Duration LEAST_MARGIN = Duration.ofMillis(200);
    private static final Duration MOST_MARGIN = Duration.ofSeconds(1);

    /** A picture of a recovery that takes longer shows its beginning. */
    private static final Duration MOST_RECOVERY = Duration.ofSeconds(20);

    private final List<Recovery> recoveries;
    private final List<Finding> findings;
    private final String lock;

    /**
     * Prepares the choice.
     *
     * @param recoveries of all faults, by time
     * @param findings of all checkers
     * @param lock the one that is shown unless a finding concerns another
     */
    Windows(List<Recovery> recoveries, List<Finding> findings, String lock) {
        this.recoveries = recoveries;
        this.findings = findings;
        this.lock = lock;
    }

    static Windows of(Evidence evidence, List<Recovery> recoveries, List<Finding> findings) {
        return new Windows(
                recoveries,
                findings,
                Contention.mostContended(evidence.history().byName()));
    }

    /** Returns the windows by time. */
    List<Window> chosen() {
        List<Window> broken = new ArrayList<>();
        List<Window> first = new ArrayList<>();
        List<Window> excused = new ArrayList<>();
        List<Window> others = new ArrayList<>();
        Set<String> seen = new HashSet<>();
        List<Window> merged = merged();
        for (Window each : merged) {
            if (each.findings().stream().anyMatch(finding -> !finding.excused())) {
                broken.add(each);
            } else if (first.size() < FIRST) {
                first.add(each);
            } else if (seen.addAll(names(each))) {
                others.add(each);
            } else if (!each.findings().isEmpty()) {
                excused.add(each);
            }
            seen.addAll(names(each));
        }
        return Stream.of(broken, outside(merged), first, others, excused)
                .flatMap(List::stream)
                .limit(MOST)
                .sorted(Comparator.comparingLong(Window::fromNanos))
                .toList();
    }

    private static Set<String> names(Window window) {
        return window.faults().stream().map(each -> each.fault().id()).collect(Collectors.toSet());
    }

    /** Faults of one moment share a window. */
    private List<Window> merged() {
        List<Window> windows = new ArrayList<>();
        for (Recovery each : recoveries) {
            Window own = around(each);
            Window last = windows.isEmpty() ? null : windows.get(windows.size() - 1);
            boolean together = last != null
                    && last.faults().stream()
                            .anyMatch(
                                    other -> other.endedNanos() >= each.fault().beganNanos());
            if (last != null && together) {
                windows.set(windows.size() - 1, union(last, own));
            } else {
                windows.add(own);
            }
        }
        return windows;
    }

    private Window around(Recovery each) {
        Happened fault = each.fault();
        long margin = margin(fault.length());
        long recovery = Math.min(
                MOST_RECOVERY.toNanos(), each.untilGrant().orElse(Duration.ZERO).toNanos());
        return window(fault.beganNanos() - margin, fault.endedNanos() + recovery + margin, List.of(fault));
    }

    private static long margin(Duration length) {
        return Math.max(LEAST_MARGIN.toNanos(), Math.min(MOST_MARGIN.toNanos(), length.toNanos() / 4));
    }

    private Window union(Window one, Window other) {
        return window(
                Math.min(one.fromNanos(), other.fromNanos()),
                Math.max(one.toNanos(), other.toNanos()),
                Stream.concat(one.faults().stream(), other.faults().stream()).toList());
    }

    private Window window(long from, long to, List<Happened> faults) {
        List<Finding> inside = findings.stream()
                .filter(each -> isPlaced(each) && each.fromNanos() <= to && each.toNanos() >= from)
                .toList();
        String shown = inside.stream()
                .filter(each -> !each.name().isEmpty())
                .sorted(Comparator.comparing(Finding::excused))
                .map(Finding::name)
                .findFirst()
                .orElse(lock);
        return new Window(from, to, shown, faults, inside);
    }

    /** Broken promises far from all faults have windows of their own. */
    private List<Window> outside(List<Window> merged) {
        List<Window> windows = new ArrayList<>();
        for (Finding each : findings) {
            boolean near = Stream.concat(merged.stream(), windows.stream())
                    .anyMatch(window -> window.overlaps(each.fromNanos(), each.toNanos()));
            if (isPlaced(each) && !each.excused() && !near && windows.size() < MOST) {
                long margin = margin(Duration.ofNanos(each.toNanos() - each.fromNanos()));
                windows.add(window(each.fromNanos() - margin, each.toNanos() + margin, List.of()));
            }
        }
        return windows;
    }

    /** A finding about the end of the run has no time. */
    static boolean isPlaced(Finding finding) {
        return finding.fromNanos() != 0;
    }
}
