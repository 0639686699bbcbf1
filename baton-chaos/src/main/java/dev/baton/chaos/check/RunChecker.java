package dev.baton.chaos.check;

import dev.baton.chaos.history.Hold;
import dev.baton.chaos.history.Run;
import dev.baton.chaos.lock.NameSet;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * For each fire time of a job one success at most is recorded; each further attempt is told a greater number, and a job that
 * abandons its runs has none. When a success is recorded, its fire time and all earlier ones are over. A success that a
 * runner finds in the record had come to its end before.
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
        Map<Long, Run> last = new HashMap<>();
        Over over = new Over(runs);
        for (Run run : byBeginning) {
            Run before = last.put(run.fireTime(), run);
            if (before != null) {
                again(evidence, before, run, findings);
            }
            Run recorded = over.before(run);
            if (recorded != null && recorded.fireTime() >= run.fireTime()) {
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

    private void again(Evidence evidence, Run before, Run run, List<Finding> findings) {
        if (before.isRecorded() && run.isRecorded()) {
            findings.add(finding(evidence, before, run, "was recorded, and so was"));
        }
        if (NameSet.abandons(run.job())) {
            findings.add(finding(evidence, before, run, "began, although a run is abandoned, after"));
        } else if (run.attempt() <= before.attempt()) {
            findings.add(finding(evidence, before, run, "has no greater number than"));
        }
    }

    private Finding finding(Evidence evidence, Run before, Run run, String relation) {
        return evidence.finding(
                promise(), run.job(), before.beganNanos(), run.beganNanos(), run + " " + relation + " " + before);
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
