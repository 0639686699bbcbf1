package dev.baton.bench.jobs;

import java.time.Instant;
import java.util.List;
import java.util.Optional;

/** One node of a product: runs jobs, and says what the product tells. */
interface JobPeer {
    /** What a job does. */
    @FunctionalInterface
    interface Action {
        /**
         * Does the work.
         *
         * @param job the job
         * @param fireTime the time for which it is due, as the product tells it
         * @param attempt as the product tells it; 1 if it does not
         */
        void run(JobSpec job, Instant fireTime, int attempt) throws Exception;
    }

    /**
     * What a client of the product is told of a job, also one that does not run it.
     *
     * @param next when it is due next; empty if that is not told
     * @param record what is recorded of its runs, in words
     */
    record Seen(Optional<Instant> next, String record) {}

    /** Runs jobs from now on, until this is closed. All nodes call this with the same jobs, once. */
    void schedule(List<JobSpec> jobs) throws Exception;

    /** Returns what the product has told this node's listeners, a line for each time. */
    List<String> heard();

    Seen seen(JobSpec job) throws Exception;

    /**
     * Asks this node to run a job for a fire time for which another has run it; returns what it is told, and an empty
     * text if the product has no such question.
     */
    String ask(JobSpec job, Instant fireTime) throws Exception;

    /** Ends this node in an orderly way. */
    void close() throws Exception;
}
