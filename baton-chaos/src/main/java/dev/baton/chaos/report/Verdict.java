package dev.baton.chaos.report;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Collectors;

/** The result of a run, in one sentence. */
final class Verdict {
    private Verdict() {}

    static String of(Report report) {
        List<String> parts = new ArrayList<>();
        int faults = report.evidence().faults().size();
        String checked = Times.count(report.counts().holds(), "hold") + " under " + Times.count(faults, "fault");
        Map<String, Long> broken = report.violations().stream()
                .collect(Collectors.groupingBy(each -> each.promise(), TreeMap::new, Collectors.counting()));
        parts.add(
                broken.isEmpty()
                        ? "Every promise was kept in " + checked
                        : broken.entrySet().stream()
                                        .map(each -> "The promise \"" + each.getKey() + "\" was broken "
                                                + Times.count(each.getValue(), "time"))
                                        .collect(Collectors.joining(", "))
                                        .replace(", The promise", ", the promise")
                                + " in " + checked);
        long excused = (long) report.findings().size() - report.violations().size();
        if (excused > 0) {
            parts.add(Times.count(excused, "finding")
                    + " where a fault had made the store forget, or end leases early, which breaks no promise");
        }
        if (!report.idleFaults().isEmpty()) {
            parts.add("the run proves nothing about " + String.join(", ", report.idleFaults())
                    + ", which never had an effect");
        }
        return String.join("; ", parts) + ".";
    }
}
