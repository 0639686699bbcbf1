package dev.baton.chaos.report;

import dev.baton.chaos.check.Evidence;
import dev.baton.chaos.check.Finding;
import dev.baton.chaos.fault.Absent;
import dev.baton.chaos.fault.Fault;
import dev.baton.chaos.fault.Happened;
import dev.baton.chaos.fault.Stage;
import dev.baton.chaos.history.Final;
import dev.baton.chaos.history.History;
import dev.baton.chaos.history.Hold;
import dev.baton.chaos.history.Loss;
import dev.baton.chaos.history.Trouble;
import dev.baton.chaos.lock.NameSet;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.concurrent.TimeUnit;

/** Evidence made by hand. Times are milliseconds since a moment that is far from zero, as those of real runs are. */
final class Runs {
    static final long BEGAN = TimeUnit.HOURS.toNanos(3);

    final List<Hold> holds = new ArrayList<>();
    final List<Loss> losses = new ArrayList<>();
    final List<Trouble> troubles = new ArrayList<>();
    final List<Final> finals = new ArrayList<>();
    final List<Happened> faults = new ArrayList<>();
    final List<Finding> findings = new ArrayList<>();

    /** A fault that only has a name. */
    record Named(String id, Scope scope) implements Fault {
        @Override
        public Effects happen(Stage stage, SplittableRandom random) {
            throw new UnsupportedOperationException();
        }
    }

    static long nanos(double millis) {
        return BEGAN + Math.round(millis * 1e6);
    }

    Hold hold(int client, String lock, double asked, double granted, double last, Hold.End end) {
        Hold hold = new Hold(
                client,
                holds.size(),
                lock,
                holds.size(),
                "ACQUIRE",
                nanos(asked),
                nanos(granted),
                nanos(last),
                end == Hold.End.RELEASED ? nanos(last) : Hold.NEVER,
                end == Hold.End.DIED ? Hold.NEVER : nanos(last),
                end,
                Hold.Work.NONE);
        holds.add(hold);
        return hold;
    }

    Hold hold(double asked, double granted, double last) {
        return hold(1, "lock-0", asked, granted, last, Hold.End.RELEASED);
    }

    Happened fault(String id, double began, double ended) {
        Happened happened = new Happened(
                new Named(id, id.startsWith("wire") ? Fault.Scope.WIRE : Fault.Scope.CLIENT),
                "client 1 at place 1",
                nanos(began),
                nanos(ended),
                1);
        faults.add(happened);
        return happened;
    }

    Finding finding(String promise, String lock, double from, double to, boolean excused, Hold... about) {
        Finding finding = new Finding(promise, lock, nanos(from), nanos(to), "as made", excused, List.of(about));
        findings.add(finding);
        return finding;
    }

    List<Recovery> recoveries() {
        return Recovery.all(faults, holds);
    }

    Evidence evidence() {
        return new Evidence(
                new History(holds, losses, troubles, finals, 7),
                faults,
                Map.of(),
                Duration.ofSeconds(2),
                List.of(),
                List.of());
    }

    Report report(Path directory, Duration length) {
        Settings settings = new Settings(
                "redis",
                Settings.BATON,
                List.of("all"),
                length,
                42,
                3,
                4,
                NameSet.locks(10),
                Duration.ofSeconds(2),
                2,
                Settings.CALM,
                directory);
        return new Report(
                settings,
                "Redis 7",
                BEGAN,
                length,
                faults.stream().map(Happened::fault).distinct().toList(),
                List.of(new Absent("client-clock-step", "there is no compiler")),
                evidence(),
                findings);
    }
}
