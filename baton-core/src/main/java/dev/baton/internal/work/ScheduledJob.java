package dev.baton.internal.work;

import dev.baton.BatonEvent;
import dev.baton.BatonException;
import dev.baton.Job;
import dev.baton.JobOptions;
import dev.baton.JobOptions.CatchUp;
import dev.baton.Schedule;
import dev.baton.internal.work.Host.Dated;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;

/**
 * A schedule that runs in one client, on a thread of its own: it waits for the next fire time, looks at the record,
 * and runs the job unless another client has. Thread-safe.
 */
final class ScheduledJob extends ThreadDuty implements Job.Scheduled {
    /** The job that is scheduled. */
    interface Source {
        String name();

        JobOptions options();

        Host host();

        /** Returns how long to wait before another look at a run elsewhere. */
        Duration lookAgain();

        Dated look();

        RunLog logOf(Dated seen);

        /** Runs the job, unless the last look shows that the fire time is over. */
        Job.Result run(Instant fireTime, Job.Action action, Dated seen) throws InterruptedException;
    }

    private static final int MOST_CAUGHT_UP = 100;

    /** Earlier fire times are not looked for: after a year, a schedule by the second has too many of them. */
    private static final Duration LOOK_BACK = Duration.ofDays(31);

    /** With {@link CatchUp#NONE}, a fire time that is later than this has been missed. */
    private static final Duration LATE = Duration.ofMinutes(1);

    /** Clients ask one after the other, each at a part of this time of its own: the first one runs, and the others see that. */
    private static final Duration SPREAD = Duration.ofMillis(250);

    private static final Duration FIRST_PAUSE = Duration.ofMillis(250);
    private static final Duration LONGEST_PAUSE = Duration.ofSeconds(10);

    /** A wait is cut into parts, because the wall clock may be set meanwhile, and the machine may sleep. */
    private static final Duration LONGEST_REST = Duration.ofSeconds(10);

    private final Source job;
    private final Host host;
    private final Schedule schedule;
    private final Job.Action action;
    private final Duration jitter;
    private final ReentrantLock runLock = new ReentrantLock();
    private volatile boolean runs;
    private boolean stopping;

    /** All fire times up to this one are settled, as far as this client knows; null before the first look. */
    private volatile @Nullable Instant settled;

    /** How far the clock that decides is ahead of the wall clock here. */
    private volatile Duration ahead = Duration.ZERO;

    private volatile @Nullable Instant runsElsewhere;
    private final AtomicLong missed = new AtomicLong();
    private volatile Job.@Nullable Result last;

    ScheduledJob(Source job, Schedule schedule, Job.Action action) {
        super(job.host(), "baton-job-" + job.name());
        this.job = job;
        this.host = job.host();
        this.schedule = schedule;
        this.action = action;
        this.jitter = SPREAD.multipliedBy(Math.floorMod(31 * job.name().hashCode() + host.number(), 1_000))
                .dividedBy(1_000);
        requirePossible(host.wallTime());
    }

    private void requirePossible(Instant now) {
        try {
            job.options().check(schedule, now);
        } catch (IllegalArgumentException wrong) {
            throw new IllegalArgumentException(
                    "the job \"" + job.name() + "\" cannot be scheduled: " + wrong.getMessage(), wrong);
        }
    }

    // ---- the thread ----------------------------------------------------------------------------------------------

    @Override
    void work() {
        Duration pause = FIRST_PAUSE;
        while (!isOver()) {
            try {
                if (!step()) {
                    return;
                }
                pause = FIRST_PAUSE;
            } catch (InterruptedException ended) {
                // By close, or by the action: then the schedule goes on.
            } catch (BatonException | IllegalArgumentException trouble) {
                // An outage is one line, not one for each attempt.
                log(pause.equals(FIRST_PAUSE) ? System.Logger.Level.WARNING : System.Logger.Level.DEBUG, trouble);
                pause = rest(pause);
            } catch (Throwable defect) {
                log(System.Logger.Level.ERROR, defect);
                pause = rest(pause);
            }
        }
    }

    private void log(System.Logger.Level level, Throwable cause) {
        if (!isOver()) {
            host.log(level, "the job \"" + job.name() + "\" cannot run now; its schedule goes on", cause);
        }
    }

    /** Returns the next pause. */
    private Duration rest(Duration pause) {
        try {
            pause(pause);
        } catch (InterruptedException ended) {
            // The loop looks whether it is over.
        }
        return longer(pause, LONGEST_PAUSE);
    }

    private void pause(Duration time) throws InterruptedException {
        long end = host.nanos() + time.toNanos();
        for (long left = time.toNanos(); left > 0 && !isOver(); left = end - host.nanos()) {
            host.rest(Duration.ofNanos(left));
        }
    }

    /** Settles one fire time; returns false if there is none any more. */
    private boolean step() throws InterruptedException {
        Instant before = settled;
        if (before == null) {
            before = first(look());
            settled = before;
        }
        Optional<Instant> next = schedule.next(before);
        if (next.isEmpty()) {
            return false;
        }
        awaitTime(next.get().plus(jitter));
        if (isOver()) {
            return false;
        }
        Dated seen = look();
        Deque<Instant> due = due(before, job.logOf(seen), seen.now());
        if (!due.isEmpty()) {
            settle(due.getFirst(), seen);
        }
        return true;
    }

    private Dated look() {
        Dated seen = job.look();
        ahead = Duration.between(host.wallTime(), seen.now());
        return seen;
    }

    /** A schedule without a recorded run begins now; another one where its last run was. */
    private Instant first(Dated seen) {
        RunLog log = job.logOf(seen);
        Instant last = log.last().orElse(seen.now());
        return log.openRun(last).isPresent() ? last.minusMillis(1) : last;
    }

    private void awaitTime(Instant time) throws InterruptedException {
        for (Duration left = left(time); !left.isNegative() && !left.isZero() && !isOver(); left = left(time)) {
            host.rest(left.compareTo(LONGEST_REST) < 0 ? left : LONGEST_REST);
        }
    }

    private Duration left(Instant time) {
        return Duration.between(host.wallTime().plus(ahead), time);
    }

    // ---- due fire times ---------------------------------------------------------------------------------------------

    /** Returns the fire times to run, in order, and tells of those that are left out. */
    private Deque<Instant> due(Instant before, RunLog log, Instant now) {
        Deque<Instant> passed = new ArrayDeque<>();
        List<Instant> left = new ArrayList<>();
        Instant horizon = now.minus(LOOK_BACK);
        Instant from = before.isBefore(horizon) ? horizon : before;
        for (Optional<Instant> next = schedule.next(from);
                next.isPresent() && !next.get().isAfter(now);
                next = schedule.next(from)) {
            from = next.get();
            if (log.isOver(from)) {
                settled = from;
                last = log.over(from);
                runsElsewhere = null;
                passed.clear();
                left.clear();
            } else {
                passed.add(from);
            }
            if (passed.size() > MOST_CAUGHT_UP) {
                left.add(passed.remove());
            }
        }
        while (passed.size() > wanted(passed, log, now)) {
            left.add(passed.remove());
        }
        miss(left);
        return passed;
    }

    /** Returns how many of the last fire times are to be run. */
    private int wanted(Deque<Instant> passed, RunLog log, Instant now) {
        if (passed.isEmpty()) {
            return 0;
        }
        Instant latest = passed.getLast();
        return switch (job.options().catchUp()) {
            case ALL -> passed.size();
            case ONE -> 1;
            case NONE -> {
                boolean inTime = !now.isAfter(latest.plus(LATE));
                yield inTime || log.openRun(latest).isPresent() ? 1 : 0;
            }
        };
    }

    /** One event, however many they are. */
    private void miss(List<Instant> fireTimes) {
        if (fireTimes.isEmpty()) {
            return;
        }
        Instant latest = fireTimes.get(fireTimes.size() - 1);
        missed.addAndGet(fireTimes.size());
        settled = latest;
        String detail = fireTimes.size() + (fireTimes.size() == 1 ? " fire time" : " fire times") + " up to " + latest;
        host.report(new BatonEvent(BatonEvent.Type.JOB_MISSED, job.name(), 0, Duration.ZERO, null, null, detail));
    }

    private void settle(Instant fireTime, Dated seen) throws InterruptedException {
        if (!beginRun()) {
            return;
        }
        Job.Result result;
        try {
            result = job.run(fireTime, action, seen);
        } catch (InterruptedException byTheAction) {
            settled = fireTime;
            throw byTheAction;
        } finally {
            endRun();
        }
        last = result;
        runsElsewhere = result.outcome() == Job.Outcome.RUNNING_ELSEWHERE ? fireTime : null;
        if (result.outcome() == Job.Outcome.RUNNING_ELSEWHERE || result.outcome() == Job.Outcome.LOST) {
            pause(job.lookAgain());
        } else {
            settled = fireTime;
        }
    }

    /** Returns false if the schedule stops: the interrupt that wakes it may not come while a run works. */
    private boolean beginRun() {
        runLock.lock();
        try {
            runs = !stopping;
            return runs;
        } finally {
            runLock.unlock();
        }
    }

    private void endRun() {
        runLock.lock();
        try {
            runs = false;
            if (stopping) {
                super.close();
            }
        } finally {
            runLock.unlock();
        }
    }

    // ---- for users ------------------------------------------------------------------------------------------

    @Override
    public CompletableFuture<Void> stop() {
        runLock.lock();
        try {
            stopping = true;
            if (!runs) {
                super.close();
            }
        } finally {
            runLock.unlock();
        }
        return end();
    }

    @Override
    public Optional<Instant> nextFireTime() {
        Instant known = settled;
        return isOver() ? Optional.empty() : schedule.next(known == null ? host.wallTime() : known);
    }

    @Override
    public Duration overdue() {
        Instant known = settled;
        if (known == null || runs || runsElsewhere != null || isOver()) {
            return Duration.ZERO;
        }
        Instant now = host.wallTime().plus(ahead);
        return schedule.next(known)
                .map(next -> Duration.between(next, now))
                .filter(late -> late.compareTo(SPREAD) > 0)
                .orElse(Duration.ZERO);
    }

    @Override
    public long missed() {
        return missed.get();
    }

    @Override
    public Optional<Job.Result> lastResult() {
        return Optional.ofNullable(last);
    }

    /** Interrupts a run also if its own action closes the schedule. */
    @Override
    public void close() {
        super.close();
        if (isHere()) {
            Thread.currentThread().interrupt();
        }
    }

    @Override
    public String toString() {
        return "Scheduled[" + job.name() + ", " + schedule + ']';
    }
}
