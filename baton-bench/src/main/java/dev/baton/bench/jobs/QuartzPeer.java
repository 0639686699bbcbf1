package dev.baton.bench.jobs;

import com.zaxxer.hikari.HikariDataSource;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.time.Instant;
import java.util.Date;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Properties;
import java.util.TimeZone;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;
import org.quartz.CronScheduleBuilder;
import org.quartz.Job;
import org.quartz.JobBuilder;
import org.quartz.JobDetail;
import org.quartz.JobExecutionContext;
import org.quartz.JobExecutionException;
import org.quartz.ObjectAlreadyExistsException;
import org.quartz.Scheduler;
import org.quartz.SchedulerException;
import org.quartz.Trigger;
import org.quartz.TriggerBuilder;
import org.quartz.TriggerKey;
import org.quartz.impl.StdSchedulerFactory;
import org.quartz.impl.jdbcjobstore.JobStoreTX;
import org.quartz.impl.jdbcjobstore.PostgreSQLDelegate;
import org.quartz.listeners.JobListenerSupport;
import org.quartz.listeners.SchedulerListenerSupport;
import org.quartz.listeners.TriggerListenerSupport;
import org.quartz.utils.ConnectionProvider;
import org.quartz.utils.DBConnectionManager;

/** Quartz with its clustered job store. */
final class QuartzPeer implements JobPeer {
    private static final String SCRIPT = "/org/quartz/impl/jdbcjobstore/tables_postgres.sql";
    private static final String POOL = "pool";
    private static final Duration CHECK_IN = Duration.ofSeconds(1);
    /** A fire time that is later than this is a misfire: in proportion to the periods here. */
    private static final Duration MISFIRE = Duration.ofSeconds(1);

    static final String SETTINGS = "clusterCheckinInterval %d s instead of 7.5 s, misfireThreshold %d s instead of 60 s"
            .formatted(CHECK_IN.toSeconds(), MISFIRE.toSeconds());

    private static final String RECOVERY = "requestsRecovery";
    static final List<String> DEATHS = List.of(RECOVERY, "without requestsRecovery");

    private static final Map<String, UnaryOperator<CronScheduleBuilder>> MISFIRES = misfires();
    static final List<String> CATCH_UPS = List.copyOf(MISFIRES.keySet());

    private final Heard heard = new Heard();
    private final Action action;
    private final Scheduler scheduler;
    private final Map<String, JobSpec> jobs = new HashMap<>();

    /** Stands for jobs in the tables; {@link #job} makes what runs. */
    static final class Placeholder implements Job {
        @Override
        public void execute(JobExecutionContext context) {
            throw new IllegalStateException("the factory makes the jobs");
        }
    }

    private record Pool(HikariDataSource pool) implements ConnectionProvider {
        @Override
        public Connection getConnection() throws SQLException {
            return pool.getConnection();
        }

        @Override
        public void shutdown() {
            pool.close();
        }

        @Override
        public void initialize() {}
    }

    QuartzPeer(String uri, String node, Action action) throws SchedulerException {
        this.action = action;
        DBConnectionManager.getInstance().addConnectionProvider(POOL, new Pool(Pools.open(uri)));
        Properties settings = new Properties();
        settings.putAll(Map.of(
                "org.quartz.scheduler.instanceName",
                "jobs",
                "org.quartz.scheduler.instanceId",
                node,
                "org.quartz.scheduler.skipUpdateCheck",
                "true",
                "org.quartz.threadPool.threadCount",
                "" + Pools.THREADS,
                "org.quartz.jobStore.class",
                JobStoreTX.class.getName(),
                "org.quartz.jobStore.driverDelegateClass",
                PostgreSQLDelegate.class.getName(),
                "org.quartz.jobStore.dataSource",
                POOL,
                "org.quartz.jobStore.isClustered",
                "true",
                "org.quartz.jobStore.clusterCheckinInterval",
                "" + CHECK_IN.toMillis(),
                "org.quartz.jobStore.misfireThreshold",
                "" + MISFIRE.toMillis()));
        this.scheduler = new StdSchedulerFactory(settings).getScheduler();
        scheduler.setJobFactory((bundle, any) -> job(
                Objects.requireNonNull(jobs.get(bundle.getJobDetail().getKey().getName()))));
        listen();
    }

    private static Map<String, UnaryOperator<CronScheduleBuilder>> misfires() {
        Map<String, UnaryOperator<CronScheduleBuilder>> misfires = new LinkedHashMap<>();
        misfires.put("smart policy", UnaryOperator.identity());
        misfires.put("do nothing", CronScheduleBuilder::withMisfireHandlingInstructionDoNothing);
        misfires.put("fire and proceed", CronScheduleBuilder::withMisfireHandlingInstructionFireAndProceed);
        misfires.put("ignore misfires", CronScheduleBuilder::withMisfireHandlingInstructionIgnoreMisfires);
        return misfires;
    }

    /** Returns the script that makes the tables. */
    static String tables() {
        try (InputStream script = Objects.requireNonNull(Scheduler.class.getResourceAsStream(SCRIPT))) {
            return new String(script.readAllBytes(), StandardCharsets.UTF_8);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private void listen() throws SchedulerException {
        scheduler.getListenerManager().addSchedulerListener(new SchedulerListenerSupport() {
            @Override
            public void schedulerError(String message, SchedulerException cause) {
                heard.tell("schedulerError");
            }
        });
        scheduler.getListenerManager().addTriggerListener(new TriggerListenerSupport() {
            @Override
            public String getName() {
                return "heard";
            }

            @Override
            public void triggerMisfired(Trigger trigger) {
                heard.tell("triggerMisfired");
            }
        });
        scheduler.getListenerManager().addJobListener(new JobListenerSupport() {
            @Override
            public String getName() {
                return "heard";
            }

            @Override
            public void jobWasExecuted(JobExecutionContext context, @Nullable JobExecutionException failure) {
                if (failure != null) {
                    heard.tell("jobWasExecuted: " + failure.getClass().getSimpleName());
                }
            }
        });
    }

    private Job job(JobSpec job) {
        return context -> {
            try {
                action.run(job, fireTime(context), context.isRecovering() ? 2 : 1);
            } catch (Exception failure) {
                throw new JobExecutionException(failure);
            }
        };
    }

    private static Instant fireTime(JobExecutionContext context) {
        return context.isRecovering()
                ? Instant.ofEpochMilli(Long.parseLong(context.getMergedJobDataMap()
                        .getString(Scheduler.FAILED_JOB_ORIGINAL_TRIGGER_SCHEDULED_FIRETIME_IN_MILLISECONDS)))
                : context.getScheduledFireTime().toInstant();
    }

    @Override
    public void schedule(List<JobSpec> specs) throws SchedulerException {
        for (JobSpec spec : specs) {
            jobs.put(spec.name(), spec);
        }
        for (JobSpec spec : specs) {
            JobDetail job = JobBuilder.newJob(Placeholder.class)
                    .withIdentity(spec.name())
                    .requestRecovery(spec.policy().equals(RECOVERY))
                    .build();
            try {
                scheduler.scheduleJob(job, trigger(spec));
            } catch (ObjectAlreadyExistsException another) {
                // Another node was first.
            }
        }
        scheduler.start();
    }

    private static Trigger trigger(JobSpec spec) {
        // Quartz wants a question mark for the one of the two fields of days that says nothing.
        CronScheduleBuilder times = CronScheduleBuilder.cronSchedule(
                        spec.times().cron().replaceFirst("\\*$", "?"))
                .inTimeZone(TimeZone.getTimeZone("UTC"));
        return TriggerBuilder.newTrigger()
                .withIdentity(spec.name())
                .withSchedule(MISFIRES.getOrDefault(spec.policy(), UnaryOperator.identity())
                        .apply(times))
                .build();
    }

    @Override
    public List<String> heard() {
        return heard.lines();
    }

    @Override
    public Seen seen(JobSpec job) throws SchedulerException {
        Trigger trigger = scheduler.getTrigger(TriggerKey.triggerKey(job.name()));
        return new Seen(
                Optional.ofNullable(trigger == null ? null : trigger.getNextFireTime())
                        .map(Date::toInstant),
                "the trigger's previous fire time, neither an outcome nor a node");
    }

    @Override
    public String ask(JobSpec job, Instant fireTime) {
        return "";
    }

    @Override
    public void close() throws SchedulerException {
        scheduler.shutdown(true);
    }
}
