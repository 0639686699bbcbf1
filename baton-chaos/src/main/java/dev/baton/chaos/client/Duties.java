package dev.baton.chaos.client;

import dev.baton.Election;
import dev.baton.Job;
import dev.baton.JobOptions;
import dev.baton.Lease;
import dev.baton.StoreException;
import dev.baton.chaos.client.Way.Ask;
import dev.baton.chaos.history.HistoryWriter;
import dev.baton.chaos.history.HostTime;
import dev.baton.chaos.history.Run;
import dev.baton.chaos.lock.Locker.Outcome;
import dev.baton.chaos.lock.Locker.Section;
import dev.baton.chaos.lock.Locker.Taken;
import dev.baton.chaos.lock.NameSet;
import java.time.Duration;
import java.time.Instant;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Function;

/** Elections and jobs, whose term or run is the section of a caller. */
final class Duties {
    /** A new fire time each 20 ms, the same for all clients: by the machine's clock that no fault sets. */
    private static final long PERIOD_MILLIS = 20;

    private Duties() {}

    /** Stands in an election for as long as the caller waits, and leads with the section. */
    static Outcome lead(Ask ask, Section section, Function<Lease, Taken> taken) throws Exception {
        Turn turn = new Turn(section, taken);
        Election.Candidacy candidacy = ask.baton().election(ask.wanted().name()).join(turn);
        try {
            return turn.outcome(ask.patience());
        } finally {
            candidacy.close();
        }
    }

    /** The one term of a caller. */
    private static final class Turn implements Election.Listener {
        private final Section section;
        private final Function<Lease, Taken> taken;
        private final AtomicBoolean decided = new AtomicBoolean();
        private final CompletableFuture<Outcome> done = new CompletableFuture<>();

        Turn(Section section, Function<Lease, Taken> taken) {
            this.section = section;
            this.taken = taken;
        }

        @Override
        public void started(Election.Term term) {
            if (!decided.compareAndSet(false, true)) {
                return;
            }
            try {
                section.run(taken.apply(term.lease()));
                // The release comes after this, and is not waited for.
                done.complete(Outcome.UNKNOWN);
            } catch (InterruptedException ended) {
                done.complete(Outcome.LOST);
            } catch (Throwable defect) {
                done.completeExceptionally(defect);
            }
        }

        /** Returns when no section runs any more, nor will. */
        Outcome outcome(Duration patience) throws Exception {
            try {
                return done.get(patience.toNanos(), TimeUnit.NANOSECONDS);
            } catch (TimeoutException waited) {
                return decided.compareAndSet(false, true) ? Outcome.REFUSED : Way.result(done);
            } catch (InterruptedException meant) {
                if (!decided.compareAndSet(false, true)) {
                    done.handle((outcome, defect) -> outcome).join();
                }
                throw meant;
            } catch (ExecutionException failed) {
                throw Way.cause(failed);
            }
        }
    }

    /** Runs a job for the present fire time or one of the next, for as long as the caller waits. */
    static Outcome run(Ask ask, Section section, Function<Lease, Taken> taken) throws Exception {
        String name = ask.wanted().name();
        Job job = ask.baton()
                .job(
                        name,
                        JobOptions.defaults()
                                .withAfterDeath(
                                        NameSet.abandons(name)
                                                ? JobOptions.AfterDeath.ABANDON
                                                : JobOptions.AfterDeath.RERUN));
        Action action = new Action(job, section, taken, ask.history());
        long began = HostTime.nanos();
        while (true) {
            long fireTime = TimeUnit.NANOSECONDS.toMillis(HostTime.nanos()) / PERIOD_MILLIS * PERIOD_MILLIS;
            Job.Result result = job.run(Instant.ofEpochMilli(fireTime), action);
            switch (result.outcome()) {
                case RAN -> {
                    ask.history().ran(action.number);
                    return Outcome.UNKNOWN;
                }
                case FAILED ->
                    throw new IllegalStateException(
                            "the section of a job failed", result.failure().orElse(null));
                case LOST -> {
                    return Outcome.LOST;
                }
                default -> {
                    if (HostTime.since(began).compareTo(ask.patience()) >= 0) {
                        return Outcome.REFUSED;
                    }
                    HostTime.sleep(Duration.ofMillis(ask.random().nextInt((int) PERIOD_MILLIS)));
                }
            }
        }
    }

    /** Writes down that it runs, and the record of the runs before; runs the section. */
    private static final class Action implements Job.Action {
        private final Job job;
        private final Section section;
        private final Function<Lease, Taken> taken;
        private final HistoryWriter history;
        private long number;

        Action(Job job, Section section, Function<Lease, Taken> taken, HistoryWriter history) {
            this.job = job;
            this.section = section;
            this.taken = taken;
            this.history = history;
        }

        @Override
        public void run(Job.Run run) throws InterruptedException {
            number = history.run(
                    job.name(),
                    run.fireTime().toEpochMilli(),
                    run.attempt(),
                    lastSuccess(run.fireTime()),
                    run.lease()::isHeld);
            section.run(taken.apply(run.lease()));
            history.worked(number);
        }

        /** No other run works now: each success of the record has ended. */
        private long lastSuccess(Instant own) {
            try {
                return job.history().stream()
                        .filter(run -> run.state() == Job.State.SUCCEEDED)
                        .map(Job.RecordedRun::fireTime)
                        .filter(fireTime -> !fireTime.equals(own))
                        .findFirst()
                        .map(Instant::toEpochMilli)
                        .orElse(Run.NONE);
            } catch (StoreException unknown) {
                return Run.NONE;
            }
        }
    }
}
