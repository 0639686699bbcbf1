package dev.baton.chaos.report;

import com.fasterxml.jackson.jr.ob.JSON;
import dev.baton.chaos.check.Checker;
import dev.baton.chaos.check.Checkers;
import dev.baton.chaos.check.Evidence;
import dev.baton.chaos.check.Finding;
import dev.baton.chaos.fault.Absent;
import dev.baton.chaos.fault.Fault;
import dev.baton.chaos.fault.Happened;
import dev.baton.chaos.lock.NameKind;
import dev.baton.chaos.runbook.Runbook;
import java.io.IOException;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * The results of a run.
 *
 * @param settings what was run
 * @param store what the server says of itself
 * @param beganNanos when the run began
 * @param length how long it took, with its beginning and its end
 * @param faults that could happen
 * @param absent faults that were chosen and are not offered here
 * @param evidence what is known of it
 * @param findings what was not as promised
 */
public record Report(
        Settings settings,
        String store,
        long beganNanos,
        Duration length,
        List<Fault> faults,
        List<Absent> absent,
        Evidence evidence,
        List<Finding> findings) {
    private static final double NANOS_PER_MILLI = 1e6;
    private static final int MOST_SHOWN = 20;

    /** Returns the promises that were broken without an excuse. */
    public List<Finding> violations() {
        return findings.stream().filter(finding -> !finding.excused()).toList();
    }

    /** Returns the faults that never had an effect although they happened. */
    public List<String> idleFaults() {
        return faults.stream()
                .map(Fault::id)
                .filter(id -> happened(id).stream().mapToLong(Happened::effects).sum() == 0
                        && !happened(id).isEmpty())
                .toList();
    }

    private List<Happened> happened(String id) {
        return evidence.faults().stream()
                .filter(each -> each.fault().id().equals(id))
                .toList();
    }

    /** Returns the numbers of what was checked. */
    public Counts counts() {
        return Counts.of(evidence);
    }

    /** Returns how often a promise was broken. */
    long broken(String promise) {
        return count(promise, false);
    }

    /** Returns how often the store had forgotten, so that a promise did not hold. */
    long excused(String promise) {
        return count(promise, true);
    }

    private long count(String promise, boolean excused) {
        return findings.stream()
                .filter(finding -> finding.promise().equals(promise) && finding.excused() == excused)
                .count();
    }

    /** Returns what the clients told operators. */
    List<ClientsWords> said() {
        return ClientsWords.of(evidence.history(), Runbook.shipped());
    }

    /** Returns what each fault cost, by time. */
    List<Recovery> recoveries() {
        return Recovery.all(evidence.faults(), evidence.history().holds());
    }

    /** Returns the report for a terminal. */
    public String toText() {
        StringBuilder text = new StringBuilder();
        Counts counts = counts();
        text.append("%d holds checked, %d contended, %d contended under a fault, in %d s on %s%n"
                .formatted(
                        counts.holds(), counts.contended(), counts.contendedUnderFault(), length.toSeconds(), store));
        if (!settings.names().isLocks()) {
            text.append("holds by kind of name: %s%n".formatted(counts.ofKinds()));
        }
        text.append("%d leases lost, %d stale writes refused by the register, %d requests not granted, %d exceptions%n"
                .formatted(
                        counts.lost(),
                        counts.stale(),
                        evidence.history().refused(),
                        evidence.history().troubles().size()));
        if (counts.notes() + counts.runs() > 0) {
            text.append("%d notes written, %d runs of jobs recorded%n".formatted(counts.notes(), counts.runs()));
        }
        Map<String, Recoveries> recoveries = Recoveries.byFault(recoveries()).stream()
                .collect(Collectors.toMap(Recoveries::fault, Function.identity()));
        for (Fault fault : faults) {
            List<Happened> each = happened(fault.id());
            text.append("  %-20s %4d times, %7d effects%s%n"
                    .formatted(
                            fault.id(),
                            each.size(),
                            each.stream().mapToLong(Happened::effects).sum(),
                            recovered(recoveries.get(fault.id()))));
        }
        absent.forEach(each -> text.append("  %s%n".formatted(each)));
        for (Checker checker : Checkers.all()) {
            String promise = checker.promise();
            text.append("  %-12s %s%n".formatted(promise, verdict(broken(promise), excused(promise))));
        }
        said().forEach(each -> text.append("  client said %,9d times  %s%s%n"
                .formatted(each.count(), each.text(), each.entry().isPresent() ? "" : "  <- " + ClientsWords.MISSING)));
        violations().stream()
                .limit(MOST_SHOWN)
                .forEach(each -> text.append("%s: %s: %s%n".formatted(each.promise(), each.name(), each.message())));
        return text.toString();
    }

    private static String recovered(@Nullable Recoveries sum) {
        return sum == null
                ? ""
                : ", next grant after %s (median), %s (worst), %d contended holds"
                        .formatted(Times.of(sum.median()), Times.of(sum.worst()), sum.contended());
    }

    private static String verdict(long broken, long excused) {
        String words = broken == 0 ? "kept" : "BROKEN, " + broken + " times";
        return excused == 0
                ? words
                : words + "; " + excused + " times where the store had forgotten, or ended leases early";
    }

    /** Returns the report for programs. */
    public String toJson() throws IOException {
        Map<String, Object> all = new LinkedHashMap<>();
        all.put("store", settings.shownStore());
        all.put("server", store);
        all.put("subject", settings.subject());
        all.put("seed", settings.seed());
        all.put("minutes", settings.length().toSeconds() / 60.0);
        all.put("seconds", length.toSeconds());
        all.put("command", settings.command());
        all.put("clients", settings.clients());
        all.put("threads", settings.threads());
        all.put("names", settings.names().size());
        all.put("kinds", NameKind.words(settings.names().kinds()));
        all.put("leaseMillis", settings.leaseTime().toMillis());
        Counts counts = counts();
        all.put("holds", counts.holds());
        all.put("holdsOfKinds", counts.ofKinds());
        all.put("contended", counts.contended());
        all.put("contendedUnderFault", counts.contendedUnderFault());
        all.put("lost", counts.lost());
        all.put("staleWritesRefused", counts.stale());
        all.put("notesWritten", counts.notes());
        all.put("runsRecorded", counts.runs());
        all.put("notGranted", evidence.history().refused());
        all.put("exceptions", evidence.history().troubles().size());
        all.put("possibleFaults", faults.stream().map(Fault::id).toList());
        all.put(
                "promises",
                Checkers.all().stream().map(each -> promise(each.promise())).toList());
        all.put("said", said().stream().map(Report::json).toList());
        List<Recovery> recoveries = recoveries();
        all.put(
                "recovery",
                Recoveries.byFault(recoveries).stream().map(this::json).toList());
        all.put("faults", recoveries.stream().map(this::json).toList());
        all.put("notOffered", absent.stream().map(Absent::toString).toList());
        all.put("findings", findings.stream().map(this::json).toList());
        return JSON.std.with(JSON.Feature.PRETTY_PRINT_OUTPUT).asString(all) + '\n';
    }

    private static Map<String, Object> json(ClientsWords each) {
        Map<String, Object> words = new LinkedHashMap<>();
        words.put("text", each.text());
        words.put("count", each.count());
        words.put("inRunbook", each.entry().isPresent());
        return words;
    }

    private Map<String, Object> promise(String promise) {
        Map<String, Object> counts = new LinkedHashMap<>();
        counts.put("promise", promise);
        counts.put("broken", broken(promise));
        counts.put("forgotten", excused(promise));
        return counts;
    }

    private double millis(long nanos) {
        return Math.round((nanos - beganNanos) / NANOS_PER_MILLI);
    }

    private static @Nullable Double millis(Optional<Duration> time) {
        return time.map(each -> Math.round(each.toNanos() / NANOS_PER_MILLI * 1_000) / 1_000.0)
                .orElse(null);
    }

    private Map<String, @Nullable Object> json(Recoveries each) {
        Map<String, @Nullable Object> sum = new LinkedHashMap<>();
        sum.put("fault", each.fault());
        sum.put("times", each.times());
        sum.put("timesWithoutGrant", each.withoutGrant());
        sum.put("medianMillis", millis(each.median()));
        sum.put("worstMillis", millis(each.worst()));
        sum.put("longestWaitMillis", millis(Optional.of(each.longestWait())));
        sum.put("lost", each.lost());
        sum.put("contended", each.contended());
        sum.put(
                "effects",
                happened(each.fault()).stream().mapToLong(Happened::effects).sum());
        return sum;
    }

    private Map<String, @Nullable Object> json(Recovery recovery) {
        Happened each = recovery.fault();
        Map<String, @Nullable Object> fault = new LinkedHashMap<>();
        fault.put("fault", each.fault().id());
        fault.put("scope", each.fault().scope().name().toLowerCase(Locale.ROOT));
        fault.put("forgets", each.fault().damage() == Fault.Damage.FORGETS);
        fault.put("where", each.where());
        fault.put("beganMillis", millis(each.beganNanos()));
        fault.put("endedMillis", millis(each.endedNanos()));
        fault.put("effects", each.effects());
        fault.put("recoveryMillis", millis(recovery.untilGrant()));
        fault.put("longestWaitMillis", millis(Optional.of(recovery.longestWait())));
        fault.put("lost", recovery.lost());
        fault.put("contended", recovery.contended());
        return fault;
    }

    private Map<String, Object> json(Finding each) {
        Map<String, Object> finding = new LinkedHashMap<>();
        finding.put("promise", each.promise());
        finding.put("lock", each.name());
        finding.put("fromMillis", millis(each.fromNanos()));
        finding.put("toMillis", millis(each.toNanos()));
        finding.put("excused", each.excused());
        finding.put("message", each.message());
        return finding;
    }
}
