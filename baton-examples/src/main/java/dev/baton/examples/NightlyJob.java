package dev.baton.examples;

import dev.baton.Baton;
import dev.baton.DistributedLock;
import dev.baton.Lease;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.SQLException;
import java.time.LocalDate;
import java.time.ZoneOffset;
import java.util.Optional;

/**
 * A job that every node of a cluster starts at the same hour. It must not run twice at a time, and only once a night.
 *
 * <p>The lock ensures only the first: two runs do not overlap. A node whose clock is a minute late finds the lock free
 * again and would run the job a second time; the journal prevents this. A node may also die after the work and before
 * it records the run. That night looks undone, so the next node runs the job again: the work must be idempotent, or it
 * must share one transaction with the record.
 */
final class NightlyJob {
    private final DistributedLock lock;
    private final Journal journal;
    private final Work work;

    NightlyJob(Baton baton, String name, Journal journal, Work work) {
        this.lock = baton.lock("job:" + name);
        this.journal = journal;
        this.work = work;
    }

    // tag::nightly[]
    /** Every node's scheduler calls this, with the date that the run is for: not the time at which it happens to start. */
    Outcome run(LocalDate night) throws SQLException {
        Optional<Lease> turn = lock.tryAcquire();
        if (turn.isEmpty()) {
            return Outcome.ANOTHER_IS_AT_IT;
        }
        try (Lease lease = turn.get()) {
            if (journal.isDone(night)) {
                return Outcome.DONE_BEFORE;
            }
            work.run(lease);
            lease.ensureHeld();
            journal.enter(night, lease.token());
            return Outcome.RAN;
        }
    }
    // end::nightly[]

    /** The outcome of a call. */
    enum Outcome {
        /** The job ran here. */
        RAN,
        /** The job is running elsewhere at this moment. */
        ANOTHER_IS_AT_IT,
        /** The job has already run for this night. */
        DONE_BEFORE
    }

    /** The work of one night. */
    @FunctionalInterface
    interface Work {
        /** Does the work. A long run can ask the lease whether it is still held; each write carries its token. */
        void run(Lease lease);
    }

    /** Tries to run for today. Arguments, both optional: a directory, and the address of a store for the lock. */
    public static void main(String[] args) throws IOException, SQLException {
        Path directory = args.length > 0 ? Path.of(args[0]) : Files.createTempDirectory("nightly-job-");
        Files.createDirectories(directory);
        String store = args.length > 1 ? args[1] : "jdbc:sqlite:" + directory.resolve("locks.db");
        try (Baton baton = Baton.connect(store);
                Journal journal = new Journal("jdbc:sqlite:" + directory.resolve("journal.db"))) {
            NightlyJob job = new NightlyJob(
                    baton, "mail", journal, lease -> System.out.println("Sending mail under token " + lease.token()));
            System.out.println(job.run(LocalDate.now(ZoneOffset.UTC)) + "; everything is in " + directory);
        }
    }
}
