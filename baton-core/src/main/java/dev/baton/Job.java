package dev.baton;

import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;

/**
 * Work that is due at times, and runs on one of many clients. For each fire time at most one successful run is recorded,
 * and at most one runner at a time believes that it runs.
 *
 * <p><strong>An action may begin twice for one fire time</strong>: if its runner dies, or loses its lease, before the
 * outcome is recorded, and the policy is {@link JobOptions.AfterDeath#RERUN}. The action is told which attempt it is. It
 * should be idempotent, or its writes fenced by the token of {@link Run#lease}. With {@link
 * JobOptions.AfterDeath#ABANDON} it begins once, but for a failover in which the store forgets the beginning and the
 * runner is gone, too.
 *
 * <p>The fire times that a job is run for only grow: once one has been recorded, earlier ones are over. Whether a fire
 * time is due is decided by the store's clock on Redis and SQL databases, and by the client's on ZooKeeper and etcd, which
 * tell no time. A fire time that is more than a minute ahead is refused.
 *
 * <p>The record is the note of a lock of its own ({@link Lease#writeNote}), named {@code baton-job:} and the job's name.
 * Thread-safe.
 *
 * @since 0.1
 */
public interface Job {
    /**
     * Returns the job's name.
     *
     * @return the name
     */
    String name();

    /**
     * Runs the job for a fire time on the calling thread, unless that is over or another runner works. Does not wait.
     *
     * <p>An exception of the action is recorded as the outcome of the run, and the fire time is over.
     *
     * @param fireTime the time for which the run is due, in whole milliseconds
     * @param action the work
     * @return what happened
     * @throws IllegalArgumentException if the fire time is more than a minute ahead, or has parts of a millisecond
     * @throws InterruptedException if the calling thread was interrupted before the action began, or the action threw this;
     *     then no outcome is recorded, and the next runner goes on as after a death
     * @throws StoreException if the store did not answer before the action began, or is in a grace period
     */
    Result run(Instant fireTime, Action action) throws InterruptedException;

    /**
     * Runs the job at all fire times of a schedule, as long as the returned object is not closed, on a thread of this
     * client. Of all clients that do so, one runs it each time; if that dies, another one takes over.
     *
     * <p>Neither an exception nor an outage of the store ends the schedule.
     *
     * @param schedule the times
     * @param action the work
     * @return the running schedule
     * @throws IllegalArgumentException if the options do not fit the schedule: see {@link JobOptions#check}
     */
    Scheduled schedule(Schedule schedule, Action action);

    /**
     * Returns the last runs that are recorded, the newest first. About ten have room.
     *
     * @return the runs of all clients
     * @throws StoreException if the store did not answer in time, or is in a grace period
     */
    List<RecordedRun> history();

    /** The action of a job. */
    @FunctionalInterface
    interface Action {
        /**
         * Does the work.
         *
         * @param run the run
         * @throws Exception is recorded as the outcome
         */
        void run(Run run) throws Exception;
    }

    /**
     * One execution of a job.
     *
     * @param fireTime the time for which it is due
     * @param attempt 1, or more if earlier runners for this fire time have died
     * @param lease the lease under which it runs; its token fences writes
     */
    record Run(Instant fireTime, int attempt, Lease lease) {}

    /**
     * What became of a request to run.
     *
     * @param outcome what happened
     * @param fireTime the fire time
     * @param attempt which attempt it was; 0 if the action did not begin here
     * @param by who runs or ran it; this client if the action began here, and empty if that is not known
     * @param failure the exception of the action, or why the lease was lost
     */
    record Result(Outcome outcome, Instant fireTime, int attempt, String by, Optional<Throwable> failure) {}

    /** The kinds of results. */
    enum Outcome {
        /** The action ended here, and its success is recorded. */
        RAN,
        /** The action threw an exception here, and its failure is recorded. */
        FAILED,
        /** The fire time is over: it was run, or a later one was. */
        ALREADY_DONE,
        /** Another runner works now, for this fire time or another one; or the job is kept for its least time. */
        RUNNING_ELSEWHERE,
        /** An earlier runner has died, and the policy is not to run again: the outcome is recorded as unknown. */
        ABANDONED,
        /**
         * The action ended here, or was about to begin, but the lease was lost before its outcome was recorded: another runner
         * may have begun. The failure says why.
         */
        LOST
    }

    /**
     * A recorded run.
     *
     * @param fireTime the time for which it was due
     * @param attempt which attempt it was
     * @param by who ran it
     * @param started when it began, by the store's clock where that has one
     * @param took how long it took; empty while it runs, and if its end is unknown
     * @param state whether it has ended, and how
     */
    record RecordedRun(
            Instant fireTime, int attempt, String by, Instant started, Optional<Duration> took, State state) {}

    /** What is known of a recorded run. */
    enum State {
        /** It has begun. If the job is not held, its runner has died. */
        RUNNING,
        /** It has ended. */
        SUCCEEDED,
        /** Its action has thrown an exception. */
        FAILED,
        /** Its runner has died, and it was not run again. */
        UNKNOWN
    }

    /** A schedule that runs in this client. Thread-safe. */
    interface Scheduled extends AutoCloseable {
        /**
         * Returns the fire time that this client waits for, or works on.
         *
         * @return empty if the schedule has none any more, or this is closed
         */
        Optional<Instant> nextFireTime();

        /**
         * Returns for how long the job has been overdue: a fire time has passed, and as far as this client knows no client
         * has run it or is running it.
         *
         * @return zero if it is not overdue
         */
        Duration overdue();

        /**
         * Returns how many fire times have passed without a run, as far as this client has noticed since it began.
         *
         * @return the number
         */
        long missed();

        /**
         * Returns what became of the last fire time, as this client saw it.
         *
         * @return empty before the first
         */
        Optional<Result> lastResult();

        /** Ends the schedule in this client. A run that has begun is interrupted; does not wait for its end. */
        @Override
        void close();

        /**
         * Ends the schedule in this client when the run that has begun is over: it goes on undisturbed, and its outcome is
         * recorded, but no other begins here. Does not wait; {@link #close} interrupts the run afterwards.
         *
         * @return completes on the thread of the schedule when that has ended; to cancel it has no effect
         */
        CompletableFuture<Void> stop();
    }
}
