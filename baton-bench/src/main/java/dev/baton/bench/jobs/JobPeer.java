package dev.baton.bench.jobs;

import java.time.Instant;
import java.util.List;
import java.util.Optional;

/** One node of a product: runs jobs, and passes the product's news on. */
interface JobPeer {
    /** The work of a job. */
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
     * The product's answers about a job to a client, also one that does not run it.
     *
     * @param next when it is due next; empty if that is not told
     * @param record the record of its runs, in words
     */
    record Seen(Optional<Instant> next, String record) {}

    /** Runs jobs from now on, until this is closed. All nodes call this with the same jobs, once. */
    void schedule(List<JobSpec> jobs) throws Exception;

    /** Returns the product's news to this node's listeners, a line for each time. */
    List<String> heard();

    Seen seen(JobSpec job) throws Exception;

    /**
     * Asks this node to run a job for a fire time for which another has run it; returns the answer, and an empty
     * text if the product has no such question.
     */
    String ask(JobSpec job, Instant fireTime) throws Exception;

    /** Ends this node in an orderly way. */
    void close() throws Exception;
}
