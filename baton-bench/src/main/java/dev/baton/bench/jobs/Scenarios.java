package dev.baton.bench.jobs;

import dev.baton.bench.jobs.JobPeer.Seen;
import dev.baton.bench.jobs.RunTable.Ran;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Objects;
import java.util.Optional;
import java.util.function.Predicate;
import java.util.stream.Collectors;

/** What happens in each scenario. Each method plays one with the product of an arena, and returns its counts. */
final class Scenarios {
    private static final Duration PERIOD = Duration.ofSeconds(2);
    private static final int NODES = 3;
    private static final Duration HALF_MINUTE = Duration.ofSeconds(30);
    private static final Duration HOUR = Duration.ofHours(1);
    /** From the choice of a fire time until it comes: nodes must have heard of it. */
    private static final Duration LEAD = Duration.ofSeconds(10);
    /** Further from its fire time a run is not in time. */
    private static final Duration IN_TIME = Duration.ofSeconds(10);

    private static final Duration WINDOW = PERIOD.multipliedBy(6);
    private static final Duration OUTAGE = Duration.ofSeconds(5);
    private static final Duration DOWN = PERIOD.multipliedBy(5);
    private static final Duration PAUSE = PERIOD.multipliedBy(4);
    private static final Duration LONG_WORK = Duration.ofMinutes(2);
    private static final Duration SHORT_WORK = Duration.ofMillis(300);
    private static final Duration PATIENCE = Duration.ofSeconds(30);
    private static final Duration AFTER_OUTAGE = Duration.ofSeconds(60);

    private Scenarios() {}

    // ---- J1 and J2 -----------------------------------------------------------------------------------------------

    static String timesThatCannotBe(Arena arena) throws Exception {
        if (!arena.product().choices().hasTimes()) {
            return "it has neither time";
        }
        JobSpec job = every("j1").kept(Duration.ofHours(23), Duration.ofMinutes(20));
        Machine node = arena.open(1).get(0);
        Instant from = arena.now();
        Optional<String> refusal = node.offer(List.of(job));
        if (refusal.isPresent()) {
            return "refused before the first fire time: " + refusal.get();
        }
        arena.rest(PERIOD.multipliedBy(3));
        String told = arena.heard();
        return "accepted; %s came: %d runs; told: %s"
                .formatted(
                        fireTimes(job.times().between(from, arena.now())),
                        arena.runs(job).size(),
                        told);
    }

    static String oneFireTimeOnWrongClocks(Arena arena) throws Exception {
        List<Machine> nodes = arena.open(List.of(Duration.ZERO, HALF_MINUTE, HALF_MINUTE.negated()));
        Instant fireTime = soon(arena).plus(LEAD).plus(HALF_MINUTE);
        List<JobSpec> jobs = each(
                arena.product().choices().keeps(),
                "j2a",
                fireTime,
                (job, least) -> least.isZero() ? job : job.kept(least, least.plusMinutes(1)));
        arena.schedule(nodes, jobs);
        arena.awaitTime(fireTime.plus(HALF_MINUTE).plus(LEAD));
        return cells(jobs, job -> {
            List<Ran> runs = arena.runs(job);
            String least = job.atLeast().isZero() ? "" : ", lockAtLeastFor " + seconds(job.atLeast());
            return "%s of 1 fire time, begun %s from it%s"
                    .formatted(
                            runs(runs.size()),
                            runs.stream()
                                    .map(run -> String.format(
                                            Locale.ROOT, "%+.1f s", run.late().toMillis() / 1e3))
                                    .collect(Collectors.joining(", ")),
                            least);
        });
    }

    static String manyFireTimesOnWrongClocks(Arena arena) throws Exception {
        List<Machine> nodes =
                arena.open(List.of(Duration.ZERO, HALF_MINUTE, HALF_MINUTE.negated(), HOUR, HOUR.negated()));
        JobSpec job = every("j2b");
        arena.schedule(nodes, List.of(job));
        Instant from = arena.now();
        arena.rest(WINDOW);
        Instant until = arena.now();
        List<Ran> runs = arena.runs(job).stream()
                .filter(run -> run.started().isAfter(from))
                .toList();
        List<Instant> inTime = runs.stream()
                .filter(run -> run.late().abs().compareTo(IN_TIME) < 0)
                .map(Ran::fireTime)
                .toList();
        return "%s due, %d of them run in time, %d more than once; %s early, %s late"
                .formatted(
                        fireTimes(job.times().between(from, until)),
                        inTime.stream().distinct().count(),
                        inTime.size() - inTime.stream().distinct().count(),
                        runs(count(runs, run -> run.late().plus(IN_TIME).isNegative())),
                        runs(count(runs, run -> run.late().compareTo(IN_TIME) >= 0)));
    }

    // ---- J3 to J5 ------------------------------------------------------------------------------------------------

    static String deathOfTheRunner(Arena arena) throws Exception {
        List<Machine> nodes = arena.open(NODES);
        List<JobSpec> jobs = each(arena.product().choices().deaths(), "j3", soon(arena), JobSpec::with).stream()
                .map(job -> job.working(LONG_WORK).kept(SHORT_WORK, LONG_WORK.plusMinutes(1)))
                .toList();
        arena.schedule(nodes, jobs);
        require(arena.await(PATIENCE, () -> allHave(arena, jobs, 1)), "no run began");
        Instant death = arena.now();
        for (JobSpec job : jobs) {
            Objects.requireNonNull(arena.named(arena.runs(job).get(0).node())).kill();
        }
        arena.await(PATIENCE, () -> allHave(arena, jobs, 2));
        arena.rest(PERIOD); // for the end of the second run
        Machine survivor =
                nodes.stream().filter(node -> !node.isKilled()).findFirst().orElseThrow();
        return cells(jobs, job -> {
            List<Ran> runs = arena.runs(job);
            return "%s; recorded: %s"
                    .formatted(
                            runs.size() < 2 ? "not run again in " + seconds(PATIENCE) : again(death, runs.get(1)),
                            survivor.seen(job).record());
        });
    }

    private static String again(Instant death, Ran second) {
        return "run again after %s as attempt %d%s"
                .formatted(
                        seconds(Duration.between(death, second.started())),
                        second.attempt(),
                        second.ended().isPresent() ? ", to its end" : "");
    }

    static String databaseThatIsAway(Arena arena) throws Exception {
        JobSpec job = every("j4");
        arena.start(NODES, List.of(job));
        require(arena.await(PATIENCE, () -> arena.runs(job).size() >= 2), "no two runs");
        Instant from = arena.now();
        arena.server().kill();
        arena.rest(OUTAGE);
        String meanwhile = arena.heard();
        arena.server().restart();
        Instant back = arena.now();
        arena.await(AFTER_OUTAGE, () -> next(arena, job, back).isPresent());
        arena.rest(PERIOD.multipliedBy(2));
        return "%s; %s came meanwhile, %d of them run later; told meanwhile: %s; in all: %s"
                .formatted(
                        next(arena, job, back)
                                .map(run -> "runs again " + seconds(Duration.between(back, run.started()))
                                        + " after it is back")
                                .orElse("no run within " + seconds(AFTER_OUTAGE) + " after it is back"),
                        fireTimes(job.times().between(from, back)),
                        late(arena, job, from, back),
                        meanwhile,
                        arena.heard());
    }

    private static Optional<Ran> next(Arena arena, JobSpec job, Instant after) throws Exception {
        return arena.runs(job).stream()
                .filter(run -> run.started().isAfter(after))
                .findFirst();
    }

    /**
     * Counts the runs that began after the one instant for a time up to the other, or for a time at which the job is not
     * due: Quartz gives such a run the time of its decision.
     */
    private static long late(Arena arena, JobSpec job, Instant from, Instant until) throws Exception {
        return count(arena.runs(job), run -> {
            boolean passed = run.fireTime().isAfter(from) && !run.fireTime().isAfter(until);
            return run.started().isAfter(from) && (passed || !job.times().has(run.fireTime()));
        });
    }

    static String actionThatThrows(Arena arena) throws Exception {
        JobSpec job = every("j5").failingFirst();
        List<Machine> nodes = arena.start(NODES, List.of(job));
        arena.await(PATIENCE, () -> arena.runs(job).size() >= 5);
        List<Ran> runs = arena.runs(job);
        Instant failed = runs.get(0).fireTime();
        return "%s follow; %d of them for the fire time that failed; told: %s; recorded: %s"
                .formatted(
                        runs(runs.size() - 1),
                        count(runs, run -> run.fireTime().equals(failed)) - 1,
                        arena.heard(),
                        nodes.get(0).seen(job).record());
    }

    // ---- J6 to J8 ------------------------------------------------------------------------------------------------

    static String allNodesDown(Arena arena) throws Exception {
        List<JobSpec> jobs = new ArrayList<>();
        for (String policy : arena.product().choices().catchUps()) {
            jobs.add(every("j6-" + jobs.size()).with(policy));
        }
        arena.start(2, jobs);
        require(arena.await(PATIENCE, () -> allHave(arena, jobs, 2)), "no two runs");
        arena.closeMachines();
        Instant from = arena.now();
        arena.rest(DOWN);
        arena.start(1, jobs);
        Instant back = arena.now();
        arena.rest(PERIOD.multipliedBy(2));
        return cells(
                jobs,
                job -> "%d of %d run"
                        .formatted(late(arena, job, from, back), job.times().between(from, back)));
    }

    static String allNodesPaused(Arena arena) throws Exception {
        JobSpec job = every("j7");
        List<Machine> nodes = arena.start(2, List.of(job));
        Machine other = arena.open(1).get(0);
        require(arena.await(PATIENCE, () -> arena.runs(job).size() >= 2), "no two runs");
        Seen seen;
        Instant asked;
        try {
            for (Machine node : nodes) {
                node.pause();
            }
            arena.rest(PAUSE);
            seen = other.seen(job);
            asked = arena.now();
        } finally {
            for (Machine node : nodes) {
                node.resume();
            }
        }
        arena.rest(PERIOD.multipliedBy(3));
        return "paused for %s: another client is told %s; recorded: %s; afterwards told: %s"
                .formatted(
                        seconds(PAUSE),
                        seen.next()
                                .map(next -> "that it was due " + seconds(Duration.between(next, asked)) + " ago")
                                .orElse("nothing of what is due"),
                        seen.record(),
                        arena.heard());
    }

    static String nodeThatIsSkipped(Arena arena) throws Exception {
        List<Machine> nodes = arena.open(NODES);
        Instant fireTime = soon(arena);
        JobSpec job = JobSpec.of("j8", Times.daily(fireTime))
                .working(SHORT_WORK)
                .kept(HALF_MINUTE, HALF_MINUTE.multipliedBy(2));
        arena.schedule(nodes, List.of(job));
        require(
                arena.await(
                        PATIENCE,
                        () -> arena.runs(job).stream()
                                .anyMatch(run -> run.ended().isPresent())),
                "no run ended");
        arena.rest(PERIOD); // for the record of its end
        String runner = arena.runs(job).get(0).node();
        Machine skipped = nodes.stream()
                .filter(node -> !node.name().equals(runner))
                .findFirst()
                .orElseThrow();
        String told = skipped.ask(job, fireTime);
        return "%s by %s; a node that did not run it is told: %s; recorded: %s"
                .formatted(
                        runs(arena.runs(job).size()),
                        runner,
                        told.isEmpty() ? "nothing, it cannot ask" : told,
                        skipped.seen(job).record());
    }

    // ---- helpers -------------------------------------------------------------------------------------------------

    private static JobSpec every(String name) {
        return JobSpec.of(name, Times.every(PERIOD));
    }

    private static Instant soon(Arena arena) throws Exception {
        return arena.now().truncatedTo(ChronoUnit.SECONDS).plus(LEAD);
    }

    /** Makes a job for each choice, all due once at a time. */
    private static <T> List<JobSpec> each(List<T> choices, String name, Instant fireTime, Choose<T> choose) {
        List<JobSpec> jobs = new ArrayList<>();
        for (T choice : choices) {
            jobs.add(choose.with(JobSpec.of(name + "-" + jobs.size(), Times.daily(fireTime)), choice));
        }
        return jobs;
    }

    /** Sets a choice. */
    @FunctionalInterface
    private interface Choose<T> {
        JobSpec with(JobSpec job, T choice);
    }

    /** Says the counts of a job. */
    @FunctionalInterface
    private interface Cell {
        String of(JobSpec job) throws Exception;
    }

    /** Joins the counts of each job, after its choice. */
    private static String cells(List<JobSpec> jobs, Cell cell) throws Exception {
        List<String> cells = new ArrayList<>();
        for (JobSpec job : jobs) {
            cells.add((job.policy().isEmpty() ? "" : job.policy() + ": ") + cell.of(job));
        }
        return String.join("<br>", cells);
    }

    private static boolean allHave(Arena arena, List<JobSpec> jobs, int runs) throws Exception {
        for (JobSpec job : jobs) {
            if (arena.runs(job).size() < runs) {
                return false;
            }
        }
        return true;
    }

    private static void require(boolean condition, String otherwise) {
        if (!condition) {
            throw new IllegalStateException(otherwise + " within " + seconds(PATIENCE));
        }
    }

    private static long count(List<Ran> runs, Predicate<Ran> which) {
        return runs.stream().filter(which).count();
    }

    private static String runs(long count) {
        return count + (count == 1 ? " run" : " runs");
    }

    private static String fireTimes(int count) {
        return count + (count == 1 ? " fire time" : " fire times");
    }

    private static String seconds(Duration time) {
        return time.toMillis() % 1_000 == 0
                ? time.toSeconds() + " s"
                : String.format(Locale.ROOT, "%.1f s", time.toMillis() / 1e3);
    }
}
