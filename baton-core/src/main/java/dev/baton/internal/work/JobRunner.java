package dev.baton.internal.work;

import dev.baton.BatonEvent;
import dev.baton.DistributedLock;
import dev.baton.Job;
import dev.baton.JobOptions;
import dev.baton.Lease;
import dev.baton.LeaseLostException;
import dev.baton.LockInfo;
import dev.baton.LockOptions;
import dev.baton.Schedule;
import dev.baton.StoreException;
import dev.baton.internal.work.Host.Dated;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/** A job: runs it under its lock, and records its runs in the note of that. Thread-safe. */
public final class JobRunner implements Job, ScheduledJob.Source {
    /** Begins the names of the locks of jobs. */
    public static final String PREFIX = "baton-job:";

    /** Clocks of machines that are synchronized differ by less. */
    private static final Duration TOLERATED = Duration.ofMinutes(1);

    private final String name;
    private final JobOptions options;
    private final Host host;
    private final DistributedLock lock;
    private final Consumer<Duty> started;

    /**
     * Creates a job.
     *
     * @param started starts a schedule
     */
    public JobRunner(String name, JobOptions options, Host host, Consumer<Duty> started) {
        this.name = name;
        this.options = options;
        this.host = host;
        this.lock = host.lock(PREFIX + name, lockOptions());
        this.started = started;
    }

    private LockOptions lockOptions() {
        LockOptions held = LockOptions.defaults().withInterruptOnLoss(true);
        // An action that is interrupted in time can record its outcome; one that ignores that loses its lease.
        return options.atMost()
                .map(most -> held.withMaxHold(most.plus(host.leaseTime())))
                .orElse(held);
    }

    @Override
    public Duration lookAgain() {
        return host.leaseTime().dividedBy(3);
    }

    @Override
    public String name() {
        return name;
    }

    @Override
    public JobOptions options() {
        return options;
    }

    @Override
    public Host host() {
        return host;
    }

    @Override
    public RunLog logOf(Dated seen) {
        return RunLog.of(name, seen.note());
    }

    @Override
    public Dated look() {
        return host.look(lock.name());
    }

    @Override
    public List<RecordedRun> history() {
        return logOf(look()).runs();
    }

    @Override
    public Scheduled schedule(Schedule schedule, Action action) {
        Objects.requireNonNull(schedule, "schedule");
        Objects.requireNonNull(action, "action");
        ScheduledJob scheduled = new ScheduledJob(this, schedule, action);
        started.accept(scheduled);
        return scheduled;
    }

    @Override
    public Result run(Instant fireTime, Action action) throws InterruptedException {
        Objects.requireNonNull(action, "action");
        if (!fireTime.truncatedTo(ChronoUnit.MILLIS).equals(fireTime)) {
            throw new IllegalArgumentException("a fire time is in whole milliseconds, but this is " + fireTime
                    + ": truncate it, so that all clients name the same one");
        }
        if (Thread.interrupted()) {
            throw new InterruptedException();
        }
        return run(fireTime, action, look());
    }

    @Override
    public Result run(Instant fireTime, Action action, Dated seen) throws InterruptedException {
        if (fireTime.isAfter(seen.now().plus(TOLERATED))) {
            throw new IllegalArgumentException("the fire time " + fireTime + " of the job \"" + name
                    + "\" is more than a minute ahead: it is " + seen.now()
                    + " now by the clock that decides; run it when"
                    + " it is due");
        }
        RunLog log = logOf(seen);
        if (log.isOver(fireTime)) {
            return log.over(fireTime);
        }
        Optional<Lease> got = lock.tryAcquire();
        if (got.isEmpty()) {
            return new Result(Outcome.RUNNING_ELSEWHERE, fireTime, 0, runner(fireTime, log), Optional.empty());
        }
        Lease lease = got.get();
        try {
            return run(fireTime, action, lease);
        } catch (LeaseLostException beforeItBegan) {
            return new Result(Outcome.LOST, fireTime, 0, host.process(), Optional.of(beforeItBegan));
        } finally {
            lease.release();
            if (lease.loss().isPresent()) {
                // The loss interrupts this thread for the sake of the action: what the caller does next is not meant.
                boolean unused = Thread.interrupted();
            }
        }
    }

    private Result run(Instant fireTime, Action action, Lease lease) throws InterruptedException {
        Begun begun = begin(fireTime, lease);
        if (begun.result != null) {
            return begun.result;
        }
        long start = host.nanos();
        Result result = act(begun, action, lease, start);
        Duration rest = options.atLeast().minusNanos(host.nanos() - start);
        lease.releaseAndKeep(rest.isNegative() ? Duration.ZERO : rest);
        return result;
    }

    private String runner(Instant fireTime, RunLog log) {
        return log.openRun(fireTime)
                .map(RecordedRun::by)
                .orElseGet(() -> lock.inspect()
                        .flatMap(info -> info.holders().stream().findFirst())
                        .map(LockInfo.Holder::description)
                        .orElse(""));
    }

    /**
     * A run that has begun, or the result if there is none.
     *
     * @param log with the beginning of the run
     */
    private record Begun(RunLog log, Run run, @Nullable Result result) {}

    /** Records the beginning of a run: from now on another client knows that it may have had effects. */
    private Begun begin(Instant fireTime, Lease lease) {
        Dated seen = look();
        lease.ensureHeld();
        RunLog log = logOf(seen);
        int attempt = log.openRun(fireTime).map(RecordedRun::attempt).orElse(0) + 1;
        Run run = new Run(fireTime, attempt, lease);
        if (log.isOver(fireTime)) {
            return new Begun(log, run, log.over(fireTime));
        }
        if (attempt > 1 && options.afterDeath() == JobOptions.AfterDeath.ABANDON) {
            String dead = log.runFor(fireTime).map(RecordedRun::by).orElse("");
            lease.writeNote(log.ended(Optional.empty(), State.UNKNOWN).note());
            return new Begun(log, run, new Result(Outcome.ABANDONED, fireTime, 0, dead, Optional.empty()));
        }
        RunLog started = log.started(fireTime, attempt, host.process(), seen.now());
        lease.writeNote(started.note());
        return new Begun(started, run, null);
    }

    private Result act(Begun begun, Action action, Lease lease, long start) throws InterruptedException {
        Throwable failure = null;
        try (TimeLimit limit = TimeLimit.of(options.atMost(), host, name)) {
            failure = limit.failureOf(() -> {
                // A process that was stopped while it wrote "begun" goes on here, when another may run.
                lease.ensureHeld();
                action.run(begun.run);
            });
        }
        Duration took = Duration.ofNanos(host.nanos() - start);
        if (failure instanceof InterruptedException ended && lease.isHeld()) {
            // This process ends. The run stays open, for the next runner to treat as after a death.
            report(Outcome.FAILED, took, begun.run, ended);
            throw ended;
        }
        Throwable lost = record(begun, lease, took, failure == null ? State.SUCCEEDED : State.FAILED);
        Outcome outcome = lost != null ? Outcome.LOST : failure == null ? Outcome.RAN : Outcome.FAILED;
        report(outcome, took, begun.run, lost != null ? lost : failure);
        if (lost != null && failure != null) {
            lost.addSuppressed(failure);
        }
        if (failure instanceof Error error) {
            throw error;
        }
        return new Result(
                outcome,
                begun.run.fireTime(),
                begun.run.attempt(),
                host.process(),
                Optional.ofNullable(lost != null ? lost : failure));
    }

    /** Records the outcome; returns why that was not possible. */
    private @Nullable Throwable record(Begun begun, Lease lease, Duration took, State state) {
        try {
            lease.writeNote(begun.log.ended(Optional.of(took), state).note());
            return null;
        } catch (LeaseLostException | StoreException unknown) {
            return unknown;
        }
    }

    private void report(Outcome outcome, Duration took, Run run, @Nullable Throwable why) {
        BatonEvent.Type type = outcome == Outcome.RAN ? BatonEvent.Type.JOB_RAN : BatonEvent.Type.JOB_FAILED;
        host.report(new BatonEvent(
                type,
                name,
                run.lease().token(),
                took,
                null,
                null,
                "fire time " + run.fireTime() + ", attempt " + run.attempt() + (why == null ? "" : ": " + why)));
    }

    @Override
    public String toString() {
        return "Job[" + name + ']';
    }
}
