package dev.baton.spring.boot;

import dev.baton.Job;
import dev.baton.spring.internal.RunningJobs;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import java.util.function.BiConsumer;
import org.jspecify.annotations.Nullable;

/**
 * What health tells of the jobs of an application. A job that is overdue makes it down only if the application wants that: a
 * platform that restarts what is down would restart all machines for a job that none of them can run.
 */
final class JobsHealth {
    private final RunningJobs jobs;
    private final @Nullable Duration downWhenOverdue;

    /**
     * Creates it.
     *
     * @param downWhenOverdue for how long a job may be overdue; null for ever
     */
    JobsHealth(RunningJobs jobs, @Nullable Duration downWhenOverdue) {
        this.jobs = jobs;
        this.downWhenOverdue = downWhenOverdue;
    }

    /** Tells of each job, and whether one is overdue for too long. */
    void tell(BiConsumer<String, Object> detail, Runnable down) {
        Map<String, Optional<Job.Scheduled>> all = jobs.all();
        Map<String, Object> facts = new LinkedHashMap<>();
        all.forEach((name, schedule) -> facts.put(name, schedule.map(this::of).orElseGet(JobsHealth::notBegun)));
        if (!facts.isEmpty()) {
            detail.accept("jobs", facts);
        }
        if (all.values().stream().flatMap(Optional::stream).anyMatch(this::isTooLate)) {
            down.run();
        }
    }

    private static Map<String, Object> notBegun() {
        return Map.of("state", "waits for its client to be connected, or has ended");
    }

    private Map<String, Object> of(Job.Scheduled schedule) {
        Map<String, Object> facts = new LinkedHashMap<>();
        schedule.nextFireTime().ifPresent(next -> facts.put("nextFireTime", next));
        facts.put("overdue", schedule.overdue());
        facts.put("missed", schedule.missed());
        schedule.lastResult().ifPresent(last -> {
            facts.put("lastFireTime", last.fireTime());
            facts.put("lastOutcome", last.outcome());
        });
        return facts;
    }

    private boolean isTooLate(Job.Scheduled schedule) {
        return downWhenOverdue != null && schedule.overdue().compareTo(downWhenOverdue) > 0;
    }
}
