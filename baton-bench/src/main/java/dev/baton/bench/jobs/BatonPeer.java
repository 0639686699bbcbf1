package dev.baton.bench.jobs;

import dev.baton.Baton;
import dev.baton.BatonEvent;
import dev.baton.BatonOptions;
import dev.baton.Job;
import dev.baton.JobOptions;
import dev.baton.JobOptions.AfterDeath;
import dev.baton.JobOptions.CatchUp;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.function.UnaryOperator;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** Baton's jobs. */
final class BatonPeer implements JobPeer {
    private static final Duration LEASE = Duration.ofSeconds(6);
    static final String SETTINGS = "lease " + LEASE.toSeconds() + " s instead of 30 s";

    static final List<String> DEATHS =
            Stream.of(AfterDeath.values()).map(AfterDeath::name).toList();
    static final List<String> CATCH_UPS =
            Stream.of(CatchUp.values()).map(CatchUp::name).toList();

    private static final Map<String, UnaryOperator<JobOptions>> POLICIES = policies();

    private final Heard heard = new Heard();
    private final Baton baton;
    private final Action action;
    private final Map<String, Job.Scheduled> scheduled = new TreeMap<>();

    BatonPeer(String uri, String node, Action action) {
        this.baton = Baton.connect(
                uri,
                BatonOptions.builder()
                        .applicationName(node)
                        .connectTimeout(Duration.ofSeconds(60))
                        .leaseTime(LEASE)
                        .listener(this::hear)
                        .build());
        this.action = action;
    }

    private static Map<String, UnaryOperator<JobOptions>> policies() {
        Map<String, UnaryOperator<JobOptions>> policies = new HashMap<>();
        for (AfterDeath each : AfterDeath.values()) {
            policies.put(each.name(), options -> options.withAfterDeath(each));
        }
        for (CatchUp each : CatchUp.values()) {
            policies.put(each.name(), options -> options.withCatchUp(each));
        }
        return policies;
    }

    private void hear(BatonEvent event) {
        switch (event.type()) {
            case JOB_FAILED, STORE_SILENT, STORE_BACK -> heard.tell(event.type().name());
            case JOB_MISSED -> heard.tell(event.type() + ": " + event.detail().replaceFirst(" up to .*", ""));
            default -> {
                // Nothing that went wrong.
            }
        }
    }

    private Job job(JobSpec job) {
        JobOptions options = JobOptions.defaults();
        if (!job.atMost().isZero()) {
            options = options.withAtMost(job.atMost());
        }
        if (!job.atLeast().isZero()) {
            options = options.withAtLeast(job.atLeast());
        }
        return baton.job(
                job.name(),
                POLICIES.getOrDefault(job.policy(), UnaryOperator.identity()).apply(options));
    }

    @Override
    public void schedule(List<JobSpec> jobs) {
        for (JobSpec job : jobs) {
            scheduled.put(
                    job.name(),
                    job(job).schedule(job.times()::next, run -> action.run(job, run.fireTime(), run.attempt())));
        }
    }

    @Override
    public List<String> heard() {
        List<String> all = new ArrayList<>(heard.lines());
        scheduled.values().stream()
                .filter(each -> !each.overdue().isZero())
                .forEach(each -> all.add("overdue() above 0"));
        return all;
    }

    @Override
    public Seen seen(JobSpec job) {
        List<Job.RecordedRun> runs = job(job).history();
        if (runs.isEmpty()) {
            return new Seen(Optional.empty(), "no run");
        }
        Job.RecordedRun last = runs.get(0);
        String states = runs.stream()
                .collect(Collectors.groupingBy(Job.RecordedRun::state, TreeMap::new, Collectors.counting()))
                .entrySet()
                .stream()
                .map(each -> each.getValue() + " " + each.getKey())
                .collect(Collectors.joining(", "));
        return new Seen(
                Optional.empty(),
                "history(): %s, the last one attempt %d by %s".formatted(states, last.attempt(), node(last.by())));
    }

    @Override
    public String ask(JobSpec job, Instant fireTime) throws InterruptedException {
        Job.Result result = job(job).run(fireTime, run -> action.run(job, run.fireTime(), run.attempt()));
        Job.Scheduled here = scheduled.get(job.name());
        String last = here == null
                ? "nothing"
                : here.lastResult().map(each -> each.outcome().name()).orElse("empty");
        return "run(): %s by %s; its schedule's lastResult(): %s".formatted(result.outcome(), node(result.by()), last);
    }

    /** Users are told the name of the process, too. */
    private static String node(String by) {
        return by.isEmpty() ? "nobody" : by.replaceFirst("\\W.*", "");
    }

    @Override
    public void close() {
        baton.close();
    }
}
