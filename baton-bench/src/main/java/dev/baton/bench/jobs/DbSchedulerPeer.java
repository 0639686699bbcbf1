package dev.baton.bench.jobs;

import com.github.kagkarlsson.scheduler.ScheduledExecution;
import com.github.kagkarlsson.scheduler.Scheduler;
import com.github.kagkarlsson.scheduler.SchedulerClient;
import com.github.kagkarlsson.scheduler.SchedulerName;
import com.github.kagkarlsson.scheduler.event.AbstractSchedulerListener;
import com.github.kagkarlsson.scheduler.task.DeadExecutionHandler;
import com.github.kagkarlsson.scheduler.task.Execution;
import com.github.kagkarlsson.scheduler.task.ExecutionComplete;
import com.github.kagkarlsson.scheduler.task.ExecutionContext;
import com.github.kagkarlsson.scheduler.task.TaskInstanceId;
import com.github.kagkarlsson.scheduler.task.helper.RecurringTask;
import com.github.kagkarlsson.scheduler.task.helper.Tasks;
import com.github.kagkarlsson.scheduler.task.schedule.Schedules;
import com.zaxxer.hikari.HikariDataSource;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneOffset;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** db-scheduler's recurring tasks. */
final class DbSchedulerPeer implements JobPeer {
    /** From its documentation; the library has no script. */
    static final String TABLES = """
            DROP TABLE IF EXISTS scheduled_tasks;
            CREATE TABLE scheduled_tasks (
                task_name TEXT NOT NULL,
                task_instance TEXT NOT NULL,
                task_data BYTEA,
                execution_time TIMESTAMPTZ NOT NULL,
                picked BOOLEAN NOT NULL,
                picked_by TEXT,
                last_success TIMESTAMPTZ,
                last_failure TIMESTAMPTZ,
                consecutive_failures INT,
                last_heartbeat TIMESTAMPTZ,
                version BIGINT NOT NULL,
                priority SMALLINT,
                PRIMARY KEY (task_name, task_instance))""";

    private static final Duration POLL = Duration.ofMillis(250);
    private static final Duration HEARTBEAT = Duration.ofSeconds(1);
    /** The fewest that it accepts. */
    private static final int MISSED_HEARTBEATS = 4;

    static final String SETTINGS =
            "pollingInterval %d ms instead of 10 s, heartbeatInterval %d s instead of 5 min, dead after %d missed ones"
                    .formatted(POLL.toMillis(), HEARTBEAT.toSeconds(), MISSED_HEARTBEATS);

    private static final String CANCEL = "cancel";
    static final List<String> DEATHS = List.of("revive", CANCEL);

    private final Heard heard = new Heard();
    private final HikariDataSource pool;
    private final String node;
    private final Action action;
    private @Nullable Scheduler scheduler;

    DbSchedulerPeer(String uri, String node, Action action) {
        this.pool = Pools.open(uri);
        this.node = node;
        this.action = action;
    }

    /** What went wrong. */
    private final class Listener extends AbstractSchedulerListener {
        @Override
        public void onExecutionComplete(ExecutionComplete complete) {
            if (complete.getResult() == ExecutionComplete.Result.FAILED) {
                heard.tell("onExecutionComplete: FAILED");
            }
        }

        @Override
        public void onExecutionDead(Execution execution) {
            heard.tell("onExecutionDead");
        }

        @Override
        public void onSchedulerEvent(SchedulerEventType type) {
            if (!type.name().startsWith("RAN_")) {
                heard.tell("onSchedulerEvent: " + type);
            }
        }
    }

    private RecurringTask<Void> task(JobSpec job) {
        Tasks.RecurringTaskBuilder<Void> task =
                Tasks.recurring(job.name(), Schedules.cron(job.times().cron(), ZoneOffset.UTC));
        if (job.policy().equals(CANCEL)) {
            task.onDeadExecution(new DeadExecutionHandler.CancelDeadExecution<>());
        }
        return task.execute((instance, context) -> run(job, context));
    }

    private void run(JobSpec job, ExecutionContext context) {
        try {
            action.run(job, context.getExecution().getExecutionTime(), 1);
        } catch (Exception failure) {
            throw new IllegalStateException(failure);
        }
    }

    @Override
    public void schedule(List<JobSpec> jobs) {
        scheduler = Scheduler.create(pool)
                .startTasks(jobs.stream().map(this::task).toList())
                .schedulerName(new SchedulerName.Fixed(node))
                .threads(Pools.THREADS)
                .pollingInterval(POLL)
                .heartbeatInterval(HEARTBEAT)
                .missedHeartbeatsLimit(MISSED_HEARTBEATS)
                .addSchedulerListener(new Listener())
                .build();
        scheduler.start();
    }

    @Override
    public List<String> heard() {
        return heard.lines();
    }

    @Override
    public Seen seen(JobSpec job) {
        Optional<ScheduledExecution<Object>> row = SchedulerClient.Builder.create(pool, task(job))
                .build()
                .getScheduledExecution(TaskInstanceId.of(job.name(), RecurringTask.INSTANCE));
        return new Seen(
                row.map(ScheduledExecution::getExecutionTime),
                row.map(each -> "lastSuccess %s, lastFailure %s, consecutiveFailures %d, no node"
                                .formatted(
                                        set(each.getLastSuccess()),
                                        set(each.getLastFailure()),
                                        each.getConsecutiveFailures()))
                        .orElse("no row"));
    }

    private static String set(@Nullable Instant time) {
        return time == null ? "empty" : "set";
    }

    @Override
    public String ask(JobSpec job, Instant fireTime) {
        return "";
    }

    @Override
    public void close() {
        if (scheduler != null) {
            scheduler.stop();
        }
        pool.close();
    }
}
