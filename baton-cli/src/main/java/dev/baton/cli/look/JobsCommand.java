package dev.baton.cli.look;

import dev.baton.Baton;
import dev.baton.Job;
import dev.baton.LockInfo;
import dev.baton.cli.console.CliException;
import dev.baton.cli.console.DurationConverter;
import dev.baton.cli.console.ExitCode;
import dev.baton.cli.console.Grace;
import dev.baton.cli.console.Printable;
import dev.baton.cli.console.Table;
import dev.baton.cli.console.Table.Align;
import dev.baton.cli.console.Terminal;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** {@code baton jobs}. */
@Command(
        name = "jobs",
        description = {
            "Lists the last runs of jobs, the newest first; about ten of each are recorded.",
            "",
            "State: running, succeeded or failed; dead if the runner has died, and the next one is still to come; unknown"
                    + " if it has died, and the command was not run again.",
            ""
        },
        sortOptions = false,
        footerHeading = "%nExit codes:%n",
        footer = {
            "    0  listed, even if there is none",
            "    2  the arguments make no sense",
            "    5  the store cannot be reached or used",
            "    6  there is no place for the default store",
            "",
            "JSON: {\"jobs\": [{\"name\", \"held\", \"runs\": [{\"fireTime\", \"state\",",
            "\"attempt\", \"by\", \"started\", \"tookMillis\"}, ...]}, ...]}; a run that has",
            "not ended, or whose end is unknown, has tookMillis null. In a grace period of",
            "the store also \"gracePeriod\"."
        })
public final class JobsCommand extends LookCommand {
    private static final String PREFIX = "baton-job:";
    private static final int MOST = 100;
    private static final List<String> HEAD = List.of("JOB", "FIRE TIME", "STATE", "ATTEMPT", "BY", "STARTED", "TOOK");

    @Parameters(
            arity = "0..*",
            paramLabel = "NAME",
            description = "The jobs. Without any, those that run at this moment: the store lists no others.")
    private List<String> names = new ArrayList<>();

    @Option(names = "--json", description = JSON_HELP)
    private boolean json;

    /**
     * Makes the command.
     *
     * @param out for the list
     * @param err for remarks on it
     */
    public JobsCommand(Terminal out, Terminal err) {
        super(out, err);
    }

    /** A job, with its last runs. */
    private record Seen(String name, boolean held, List<Job.RecordedRun> runs) {
        String state(Job.RecordedRun run) {
            boolean dead = run.state() == Job.State.RUNNING && !held;
            return dead ? "dead" : run.state().name().toLowerCase(Locale.ROOT);
        }
    }

    @Override
    int look(Baton baton) {
        Optional<Grace> grace = Grace.of(baton.admin());
        List<Seen> jobs = (names.isEmpty() ? running(baton) : names)
                .stream().map(name -> seen(baton, name)).toList();
        if (json) {
            Map<String, Object> object = new LinkedHashMap<>();
            object.put("jobs", jobs.stream().map(JobsCommand::json).toList());
            grace.ifPresent(now -> object.put(Grace.FIELD, now.json()));
            out.json(object);
            return ExitCode.OK;
        }
        remark(grace);
        print(jobs);
        return ExitCode.OK;
    }

    private static List<String> running(Baton baton) {
        return baton.admin().list(PREFIX, MOST).stream()
                .filter(JobsCommand::isHeld)
                .map(lock -> lock.name().substring(PREFIX.length()))
                .toList();
    }

    private static boolean isHeld(LockInfo lock) {
        return !lock.holders().isEmpty();
    }

    private static Seen seen(Baton baton, String name) {
        try {
            // The lock first: a run that begins in between must not look like one whose runner has died.
            Job job = baton.job(name);
            boolean before = isHeld(baton, name);
            List<Job.RecordedRun> runs = job.history();
            return new Seen(name, before || isHeld(baton, name), runs);
        } catch (IllegalArgumentException | UnsupportedOperationException e) {
            throw new CliException(ExitCode.USAGE, "NAME: " + e.getMessage(), e);
        }
    }

    private static boolean isHeld(Baton baton, String name) {
        return baton.admin().inspect(PREFIX + name).filter(JobsCommand::isHeld).isPresent();
    }

    private void print(List<Seen> jobs) {
        Table table = new Table(Align.LEFT, Align.LEFT, Align.LEFT, Align.RIGHT, Align.LEFT, Align.LEFT, Align.RIGHT);
        table.row(HEAD);
        jobs.forEach(job -> job.runs.forEach(run -> table.row(row(job, run))));
        if (jobs.stream().anyMatch(job -> !job.runs.isEmpty())) {
            (out.isTerminal() ? table.lines(out.width()) : table.lines()).forEach(out.out()::println);
        }
        if (jobs.isEmpty()) {
            err.out().println("baton: no job runs now: name the jobs to list");
        }
        jobs.stream()
                .filter(job -> job.runs.isEmpty())
                .forEach(job -> err.out().println("baton: no run of '" + Printable.of(job.name) + "' is recorded"));
    }

    private static List<String> row(Seen job, Job.RecordedRun run) {
        return List.of(
                Printable.of(job.name),
                run.fireTime().toString(),
                job.state(run),
                Integer.toString(run.attempt()),
                Printable.of(run.by()),
                run.started().truncatedTo(ChronoUnit.SECONDS).toString(),
                run.took().map(DurationConverter::text).orElse("-"));
    }

    private static Map<String, Object> json(Seen job) {
        Map<String, Object> json = new LinkedHashMap<>();
        json.put("name", job.name);
        json.put("held", job.held);
        json.put("runs", job.runs.stream().map(run -> json(job, run)).toList());
        return json;
    }

    private static Map<String, Object> json(Seen job, Job.RecordedRun run) {
        Map<String, Object> json = new LinkedHashMap<>();
        json.put("fireTime", run.fireTime().toString());
        json.put("state", job.state(run));
        json.put("attempt", run.attempt());
        json.put("by", run.by());
        json.put("started", run.started().toString());
        json.put("tookMillis", run.took().map(took -> took.toMillis()).orElse(null));
        return json;
    }
}
