package dev.baton.tck;

import dev.baton.Baton;
import dev.baton.Election;
import dev.baton.Job;
import dev.baton.JobOptions;
import dev.baton.JobOptions.AfterDeath;
import java.time.Duration;
import java.time.Instant;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;

/**
 * The part of a {@link LockTaker} that runs jobs and leads. Commands: {@code run JOB FIRE_TIME AFTER_DEATH WORK} (times in
 * milliseconds), {@code join ELECTION}. Answers: {@code BEGUN attempt}, {@code DISTURBED} (the action was interrupted),
 * {@code WORKED} (the action is at its end), {@code RESULT outcome}; {@code LEADS nanos}, {@code LED nanos}. The
 * nanoseconds are those of {@link System#nanoTime}, which the processes of a host have in common on Linux.
 */
final class JobsTaker {
    private final Baton baton;
    private final long leaseNanos;

    JobsTaker(Baton baton, Duration leaseTime) {
        this.baton = baton;
        this.leaseNanos = leaseTime.toNanos();
    }

    void obey(String[] command) throws InterruptedException {
        switch (command[0]) {
            case "run" ->
                run(
                        baton.job(command[1], JobOptions.defaults().withAfterDeath(AfterDeath.valueOf(command[3]))),
                        Instant.ofEpochMilli(Long.parseLong(command[2])),
                        Duration.ofMillis(Long.parseLong(command[4])));
            case "join" -> join(baton.election(command[1]));
            default -> throw new IllegalArgumentException("unknown command " + command[0]);
        }
    }

    private void run(Job job, Instant fireTime, Duration work) throws InterruptedException {
        Job.Result result = job.run(fireTime, run -> {
            ChildLines.reportWaking(run.lease()::isHeld, leaseNanos);
            ChildLines.say("BEGUN " + run.attempt());
            work(work);
            ChildLines.say("WORKED");
        });
        ChildLines.say("RESULT " + result.outcome());
    }

    private static void work(Duration time) throws InterruptedException {
        try {
            if (new CountDownLatch(1).await(time.toNanos(), TimeUnit.NANOSECONDS)) {
                throw new IllegalStateException("nobody counts");
            }
        } catch (InterruptedException lost) {
            ChildLines.say("DISTURBED");
            throw lost;
        }
    }

    private void join(Election election) {
        election.join(new Election.Listener() {
            @Override
            public void started(Election.Term term) {
                ChildLines.reportWaking(term::isLeading, leaseNanos);
                ChildLines.say("LEADS " + System.nanoTime());
            }

            @Override
            public void ended(Election.Term term) {
                ChildLines.say("LED " + System.nanoTime());
            }
        });
    }
}
