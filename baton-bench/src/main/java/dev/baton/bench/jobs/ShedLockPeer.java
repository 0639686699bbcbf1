package dev.baton.bench.jobs;

import com.zaxxer.hikari.HikariDataSource;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneOffset;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicReference;
import net.javacrumbs.shedlock.core.ClockProvider;
import net.javacrumbs.shedlock.core.DefaultLockingTaskExecutor;
import net.javacrumbs.shedlock.core.LockConfiguration;
import net.javacrumbs.shedlock.core.LockingTaskExecutor;
import net.javacrumbs.shedlock.core.LockingTaskExecutor.TaskResult;
import net.javacrumbs.shedlock.provider.jdbctemplate.JdbcTemplateLockProvider;
import org.springframework.jdbc.core.JdbcTemplate;
import org.springframework.scheduling.concurrent.ThreadPoolTaskScheduler;
import org.springframework.scheduling.support.CronTrigger;

/**
 * Spring's scheduler, and ShedLock's executor around each run: what {@code @Scheduled} with {@code @SchedulerLock} does,
 * which makes the configuration of the lock anew for each run, as here.
 */
final class ShedLockPeer implements JobPeer {
    /** From its documentation; the library has no script. */
    static final String TABLES = """
            DROP TABLE IF EXISTS shedlock;
            CREATE TABLE shedlock (
                name VARCHAR(64) NOT NULL PRIMARY KEY,
                lock_until TIMESTAMP NOT NULL,
                locked_at TIMESTAMP NOT NULL,
                locked_by VARCHAR(255) NOT NULL)""";

    static final Duration LEAST = Duration.ofSeconds(1);
    private static final Duration MOST = Duration.ofSeconds(4);
    static final String SETTINGS =
            "usingDbTime, lockAtLeastFor %d s and lockAtMostFor %d s where a cell names no others; Spring's scheduler"
                    .formatted(LEAST.toSeconds(), MOST.toSeconds());

    private final Heard heard = new Heard();
    private final HikariDataSource pool;
    private final JdbcTemplate template;
    private final Action action;
    private final LockingTaskExecutor executor;
    private final ThreadPoolTaskScheduler scheduler = new ThreadPoolTaskScheduler();

    ShedLockPeer(String uri, String node, Action action) {
        this.pool = Pools.open(uri);
        this.template = new JdbcTemplate(pool);
        this.action = action;
        this.executor = new DefaultLockingTaskExecutor(
                new JdbcTemplateLockProvider(JdbcTemplateLockProvider.Configuration.builder()
                        .withJdbcTemplate(template)
                        .withLockedByValue(node)
                        .usingDbTime()
                        .build()));
        scheduler.setPoolSize(Pools.THREADS);
        scheduler.setErrorHandler(error ->
                heard.tell("the scheduler's error handler: " + error.getClass().getSimpleName()));
        scheduler.initialize();
    }

    @Override
    public void schedule(List<JobSpec> jobs) {
        for (JobSpec job : jobs) {
            CronTrigger cron = new CronTrigger(job.times().cron(), ZoneOffset.UTC);
            AtomicReference<Instant> due = new AtomicReference<>(Instant.EPOCH);
            Object unused = scheduler.schedule(() -> run(job, Objects.requireNonNull(due.get())), context -> {
                Instant next = cron.nextExecution(context);
                due.set(next);
                return next;
            });
        }
    }

    /** Returns whether it ran here. */
    private boolean run(JobSpec job, Instant fireTime) {
        try {
            TaskResult<Boolean> result = executor.executeWithLock(
                    () -> {
                        action.run(job, fireTime, 1);
                        return true;
                    },
                    configuration(job));
            return result.wasExecuted();
        } catch (RuntimeException | Error thrown) {
            throw thrown;
        } catch (Throwable thrown) {
            throw new IllegalStateException(thrown);
        }
    }

    private static LockConfiguration configuration(JobSpec job) {
        return new LockConfiguration(
                ClockProvider.now(),
                job.name(),
                job.atMost().isZero() ? MOST : job.atMost(),
                job.atLeast().isZero() ? LEAST : job.atLeast());
    }

    @Override
    public List<String> heard() {
        return heard.lines();
    }

    @Override
    public Seen seen(JobSpec job) {
        List<String> holders =
                template.queryForList("SELECT locked_by FROM shedlock WHERE name = ?", String.class, job.name());
        return new Seen(
                Optional.empty(),
                holders.isEmpty()
                        ? "no row of the lock"
                        : "the lock's row: last locked by " + holders.get(0) + ", no outcome");
    }

    @Override
    public String ask(JobSpec job, Instant fireTime) {
        return "wasExecuted(): " + run(job, fireTime) + ", nobody is named";
    }

    @Override
    public void close() {
        scheduler.shutdown();
        pool.close();
    }
}
