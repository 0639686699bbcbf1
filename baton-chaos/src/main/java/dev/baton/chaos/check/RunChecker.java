package dev.baton.chaos.check;

import dev.baton.chaos.history.Hold;
import dev.baton.chaos.history.Run;
import dev.baton.chaos.lock.NameSet;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.TreeMap;
import java.util.function.BiConsumer;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * For each fire time of a job one success at most is recorded; each further attempt is told a greater number, and a job that
 * abandons its runs has none. When a success is recorded, its fire time and all earlier ones are over. A success that a
 * runner finds in the record had come to its end before.
 *
 * <p>When a runner begins without holding any more, because its process was stopped just before, that may be after later
 * ones; but it, too, has a number for itself, and records no second success.
 */
final class RunChecker implements Checker {
    @Override
    public String promise() {
        return "once";
    }

    @Override
    public List<Finding> check(Evidence evidence) {
        List<Finding> findings = new ArrayList<>();
        evidence.history().runs().stream()
                .collect(Collectors.groupingBy(Run::job))
                .forEach((job, runs) -> check(evidence, runs, findings));
        return findings;
    }

    private void check(Evidence evidence, List<Run> runs, List<Finding> findings) {
        List<Run> byBeginning = new ArrayList<>(runs);
        byBeginning.sort(Comparator.comparingLong(Run::beganNanos));
        Map<Long, Attempts> attempts = new HashMap<>();
        Over over = new Over(runs);
        for (Run run : byBeginning) {
            attempts.computeIfAbsent(run.fireTime(), began -> new Attempts())
                    .add(run, (before, relation) -> findings.add(finding(evidence, before, run, relation)));
            Run recorded = over.before(run);
            if (run.held() && recorded != null && recorded.fireTime() >= run.fireTime()) {
                findings.add(finding(evidence, recorded, run, "began when the fire time was over after"));
            }
        }
        successes(evidence, byBeginning, findings);
    }

    /** A record of fire times before all of these runs may be that of an earlier history. */
    private void successes(Evidence evidence, List<Run> runs, List<Finding> findings) {
        Map<Long, Long> firstBeginning = new HashMap<>();
        Map<Long, Long> firstEnd = new HashMap<>();
        for (Run run : runs) {
            firstBeginning.merge(run.fireTime(), run.beganNanos(), Math::min);
            firstEnd.merge(run.fireTime(), run.workedNanos(), Math::min);
        }
        long earliest = firstBeginning.keySet().stream()
                .mapToLong(Long::longValue)
                .min()
                .orElseThrow();
        for (Run run : runs) {
            long found = run.lastSuccess();
            if (found >= earliest && firstEnd.getOrDefault(found, Hold.NEVER) > run.beganNanos()) {
                findings.add(evidence.finding(
                        promise(),
                        run.job(),
                        firstBeginning.getOrDefault(found, run.beganNanos()),
                        run.beganNanos(),
                        run + " found " + found + " recorded as a success, but no run for it had come to its end"));
            }
        }
    }

    private Finding finding(Evidence evidence, Run before, Run run, String relation) {
        return evidence.finding(
                promise(), run.job(), before.beganNanos(), run.beganNanos(), run + " " + relation + " " + before);
    }

    /** The runs for one fire time, in the order in which they began. */
    private static final class Attempts {
        private final NavigableMap<Integer, Run> byNumber = new TreeMap<>();
        private @Nullable Run recorded;

        /** Adds a run, and tells how it must not be related to which one before. */
        void add(Run run, BiConsumer<Run, String> wrong) {
            if (run.isRecorded()) {
                if (recorded != null) {
                    wrong.accept(recorded, "was recorded, and so was");
                }
                recorded = run;
            }
            Map.Entry<Integer, Run> last = byNumber.lastEntry();
            Run same = byNumber.put(run.attempt(), run);
            if (last != null && NameSet.abandons(run.job())) {
                wrong.accept(last.getValue(), "began, although a run is abandoned, after");
            } else if (same != null) {
                wrong.accept(same, "has the number of");
            } else if (last != null && run.held() && run.attempt() < last.getKey()) {
                wrong.accept(last.getValue(), "has no greater number than");
            }
        }
    }

    /** The recorded runs, in the order in which their runners knew it. */
    private static final class Over {
        private final List<Run> byEnd;
        private int next;
        private @Nullable Run latest;

        Over(List<Run> runs) {
            byEnd = runs.stream()
                    .filter(Run::isRecorded)
                    .sorted(Comparator.comparingLong(Run::endedNanos))
                    .toList();
        }

        /** Returns the one of the latest fire time that was recorded before another began; asked in the order of time. */
        @Nullable
        Run before(Run run) {
            while (next < byEnd.size() && byEnd.get(next).endedNanos() < run.beganNanos()) {
                Run recorded = byEnd.get(next);
                next++;
                if (latest == null || recorded.fireTime() > latest.fireTime()) {
                    latest = recorded;
                }
            }
            return latest;
        }
    }
}
