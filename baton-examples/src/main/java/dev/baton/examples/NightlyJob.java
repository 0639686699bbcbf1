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
 * A job that every node of a cluster starts at the same hour, and that must run once at a time and once a night.
 *
 * <p>The lock gives the first of these only: it keeps two runs from overlapping. A node whose clock is a minute late
 * finds the lock free again, and would run a second time; that is what the journal is for. And a node that dies after
 * the work and before the entry leaves a night that looks undone, so the next one runs again: the work has to bear
 * that, or has to be done in one transaction with the entry.
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

    /** What came of a call. */
    enum Outcome {
        /** It ran here. */
        RAN,
        /** It is running elsewhere at this moment. */
        ANOTHER_IS_AT_IT,
        /** It has run for this night. */
        DONE_BEFORE
    }

    /** What is done each night. */
    @FunctionalInterface
    interface Work {
        /** The lease can be asked in a long run whether it is still held, and its token goes with each write. */
        void run(Lease lease);
    }

    /** Tries to run for today. Arguments: a directory, and the address of a store for the lock; both may be left out. */
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
