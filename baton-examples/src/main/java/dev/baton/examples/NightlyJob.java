package dev.baton.examples;

import dev.baton.Baton;
import dev.baton.Job;
import dev.baton.JobOptions;
import dev.baton.Schedule;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;

/**
 * A job that every node of a cluster schedules, and one of them runs.
 *
 * <p>A node may die after the work and before it has recorded the run. Then another node begins again for the same night:
 * the work must be idempotent, or its writes must carry the token, as here.
 */
final class NightlyJob {
    private final Job job;
    private final Mails mails;

    NightlyJob(Baton baton, Mails mails) {
        this.job = baton.job("nightly-mail", JobOptions.defaults().withAtMost(Duration.ofHours(2)));
        this.mails = mails;
    }

    // tag::nightly[]
    /** Every node calls this when it starts. Each midnight one of them works; if that dies, another one goes on. */
    Job.Scheduled start(Schedule midnights) {
        return job.schedule(
                midnights, run -> mails.send(run.fireTime(), run.lease().token()));
    }

    /** For a scheduler of your own: with the time that the run is for, not that at which it happens to start. */
    Job.Outcome runFor(Instant midnight) throws InterruptedException {
        return job.run(midnight, run -> mails.send(run.fireTime(), run.lease().token()))
                .outcome();
    }
    // end::nightly[]

    /** The mails of one night. */
    @FunctionalInterface
    interface Mails {
        /** Sends those that were not sent yet; each write carries the token. */
        void send(Instant night, long token) throws Exception;
    }

    /** Runs for the last midnight. Arguments, both optional: a directory, and the address of a store. */
    public static void main(String[] args) throws IOException, InterruptedException {
        Path directory = args.length > 0 ? Path.of(args[0]) : Files.createTempDirectory("nightly-job-");
        Files.createDirectories(directory);
        String store = args.length > 1 ? args[1] : "jdbc:sqlite:" + directory.resolve("locks.db");
        try (Baton baton = Baton.connect(store)) {
            NightlyJob job =
                    new NightlyJob(baton, (night, token) -> System.out.println("Sending mail under token " + token));
            Instant midnight = Instant.now().truncatedTo(ChronoUnit.DAYS);
            System.out.println(job.runFor(midnight) + " for " + midnight + "; everything is in " + directory);
        }
    }
}
