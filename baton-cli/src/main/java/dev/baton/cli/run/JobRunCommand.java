package dev.baton.cli.run;

import dev.baton.Baton;
import dev.baton.BatonOptions;
import dev.baton.Job;
import dev.baton.JobOptions;
import dev.baton.Schedule;
import dev.baton.cli.console.CliException;
import dev.baton.cli.console.DurationConverter;
import dev.baton.cli.console.ExitCode;
import dev.baton.cli.console.HostTime;
import dev.baton.cli.console.OwnExitCodes;
import dev.baton.cli.console.Printable;
import dev.baton.cli.console.QuietLog;
import dev.baton.cli.console.Terminal;
import dev.baton.cli.cron.CronSchedule;
import java.time.DateTimeException;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneId;
import java.time.format.DateTimeFormatter;
import java.time.format.DateTimeParseException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.Callable;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** Runs a command at the fire times of a schedule. */
@picocli.CommandLine.Command(
        name = "run",
        description = {
            "Runs a command at the times of a schedule, until a signal ends baton. Start it on several machines, with the"
                    + " same options: one of them runs the command each time. If that machine dies, another one begins"
                    + " the command once more for the same time (see --after-death). The store remembers which times"
                    + " are over, and how the last runs ended: 'baton jobs' lists them.",
            ""
        },
        sortOptions = false,
        footerHeading = "%nIn the command's environment:%n",
        footer = {
            "  BATON_NAME       the job's name",
            "  BATON_FIRE_TIME  the time for which it runs, such as 2026-11-27T02:00:00Z",
            "  BATON_ATTEMPT    1, or more if runners for this time have died",
            "  BATON_TOKEN      the fencing token: send it along, and let writes with a",
            "                   smaller one be refused",
            "",
            "A command that fails is said on standard error, and the schedule goes on.",
            "INT, TERM, HUP and QUIT are handed on to a command that runs, and end baton",
            "when it has ended. If it fails then, another machine runs it again.",
            "",
            "Exit codes of a schedule: 128 + the number of the signal that ended it, or:",
            "  122  the store cannot be reached or used at the start",
            "  125  wrong arguments, no store, or a fault of baton's own",
            "  127  there is no such command",
            "",
            "Exit codes with --fire-time: the command's own, 122, 125 to 127, or:",
            "    0  the command has run, and its success is recorded",
            "  121  the time is over: the command ran for it, or for a later one, or its",
            "       runner died (--after-death abandon)",
            "  123  the lock was lost, or --at-most is over, and the command was ended",
            "  124  another machine runs the job now, or --at-least is not over"
        })
public final class JobRunCommand implements Callable<Integer>, OwnExitCodes {
    @Mixin
    private LeaseOptions lease = new LeaseOptions();

    @Option(names = "--name", required = true, paramLabel = "NAME", description = "The job's name.")
    private String name = "";

    @Option(
            names = "--cron",
            paramLabel = "EXPR",
            description =
                    "When: minute, hour, day of the month, month, day of the week, such as '30 3 * * MON-FRI'; with six"
                            + " fields, the first is the second.")
    private @Nullable String cron;

    @Option(
            names = "--zone",
            paramLabel = "ZONE",
            description = "The time zone of --cron, such as Europe/Berlin or UTC. Default: this machine's.")
    private @Nullable String zone;

    @Option(
            names = "--every",
            paramLabel = "TIME",
            converter = DurationConverter.class,
            description =
                    "When: at multiples of this time, at least 1s, since 1970 (UTC), so that all machines agree on them.")
    private @Nullable Duration every;

    @Option(
            names = "--fire-time",
            paramLabel = "INSTANT",
            description = "Instead of a schedule: run the command for this one time, such as 2026-11-27T02:00:00Z.")
    private @Nullable String fireTime;

    @Option(
            names = "--catch-up",
            paramLabel = "WHICH",
            defaultValue = "one",
            description =
                    "Of the times that have passed while no machine could run the command, run none, the last one, or"
                            + " all (${DEFAULT-VALUE}).")
    private JobOptions.CatchUp catchUp = JobOptions.CatchUp.ONE;

    @Option(
            names = "--after-death",
            paramLabel = "POLICY",
            defaultValue = "rerun",
            description =
                    "If a machine dies during a run: rerun begins the command once more for the same time, abandon does"
                            + " not (${DEFAULT-VALUE}).")
    private JobOptions.AfterDeath afterDeath = JobOptions.AfterDeath.RERUN;

    @Option(
            names = "--at-least",
            paramLabel = "TIME",
            defaultValue = "0",
            converter = DurationConverter.class,
            description = "Keep the job from all machines for so long from the start of a run.")
    private Duration atLeast = Duration.ZERO;

    @Option(
            names = "--at-most",
            paramLabel = "TIME",
            converter = DurationConverter.class,
            description = "End a command that runs for longer; that is a failure.")
    private @Nullable Duration atMost;

    @Parameters(arity = "1..*", paramLabel = "CMD", description = "The command and its arguments, best after --.")
    private List<String> words = new ArrayList<>();

    private final Terminal err;

    /**
     * Makes the command.
     *
     * @param err for Baton's own messages
     */
    public JobRunCommand(Terminal err) {
        this.err = err;
    }

    @Override
    public int translated(int usual) {
        return LeaseOptions.translated(usual);
    }

    @Override
    public Integer call() throws InterruptedException {
        LeaseOptions.requireSignals();
        requireOneTime();
        ZoneId where = zone();
        Optional<Schedule> schedule = schedule(where);
        JobOptions how = Attempt.of(this::how);
        LeaseOptions.required(words);
        BatonOptions.Builder client = lease.client(Command.name(words));
        Guardian.require();
        Signals signals = new Signals();
        Turns turns = new Turns(lease, "the run takes longer than --at-most", this::tell);
        int exitCode;
        if (schedule.isPresent()) {
            QuietLog.showTroubles();
            client.listener(new JobNews(name, this::tell));
        }
        try (Baton baton = lease.connect(new Start(null), client.build(), err)) {
            Job job = Attempt.of(() -> baton.job(name, how));
            exitCode = schedule.isPresent()
                    ? follow(baton, job, schedule.get(), where, turns, signals)
                    : runOnce(baton, job, turns, signals);
        }
        signals.dieLike(exitCode);
        return exitCode;
    }

    // ---- the arguments -------------------------------------------------------------------------------------------

    private void requireOneTime() {
        if (Stream.of(cron, every, fireTime).filter(given -> given != null).count() != 1) {
            throw wrong("say when, by one of --cron, --every and --fire-time", null);
        }
        if (zone != null && cron == null) {
            throw wrong("--zone is for --cron: other times do not depend on a zone", null);
        }
    }

    private ZoneId zone() {
        try {
            return zone == null ? ZoneId.systemDefault() : ZoneId.of(zone);
        } catch (DateTimeException unknown) {
            throw wrong("--zone: there is no time zone '" + zone + "': name one such as Europe/Berlin or UTC", unknown);
        }
    }

    private Optional<Schedule> schedule(ZoneId where) {
        try {
            if (cron != null) {
                return Optional.of(CronSchedule.of(cron, where));
            }
            return Optional.ofNullable(every).map(Schedule::every);
        } catch (IllegalArgumentException e) {
            throw wrong((cron != null ? "--cron: " : "--every: ") + e.getMessage(), e);
        }
    }

    private JobOptions how() {
        JobOptions how = JobOptions.defaults()
                .withCatchUp(catchUp)
                .withAfterDeath(afterDeath)
                .withAtLeast(atLeast);
        return atMost == null ? how : how.withAtMost(atMost);
    }

    private Instant instant(String text) {
        try {
            return Instant.parse(text);
        } catch (DateTimeParseException e) {
            throw wrong("--fire-time: '" + text + "' is not an instant: write one such as 2026-11-27T02:00:00Z", e);
        }
    }

    private static CliException wrong(String message, @Nullable Throwable cause) {
        return new CliException(ExitCode.USAGE, message, cause);
    }

    // ---- a schedule ----------------------------------------------------------------------------------------------

    private int follow(Baton baton, Job job, Schedule schedule, ZoneId where, Turns turns, Signals signals)
            throws InterruptedException {
        signals.take(turns::receive);
        try (Job.Scheduled scheduled = Attempt.of(() -> job.schedule(schedule, run -> run(baton, turns, run)))) {
            turns.onEnd(scheduled::close);
            schedule.next(HostTime.now())
                    .ifPresent(next -> tell("job '" + name + "', " + schedule + ": next run at "
                            + DateTimeFormatter.ISO_ZONED_DATE_TIME.format(next.atZone(where))));
            String signal = turns.awaitEnd();
            // The thread of the schedule still records how its last run ended.
            LateRelease.comesThrough(baton, baton.lock("baton-job:" + name));
            return Signals.exitCode(signal);
        }
    }

    private void run(Baton baton, Turns turns, Job.Run run) throws InterruptedException, CommandFailure {
        Command command = Command.under(
                run.lease(),
                name,
                words,
                baton.clientId() + '-' + run.lease().token(),
                Map.of("BATON_FIRE_TIME", run.fireTime().toString(), "BATON_ATTEMPT", Integer.toString(run.attempt())));
        Turns.Ended ended = turns.run(run.lease(), command);
        if (ended.byBaton()) {
            throw new CommandFailure("the command was ended", ExitCode.RUN_LOST);
        }
        if (ended.exitCode() != 0 && ended.bySignal()) {
            // Cut short, as by a death: the run stays open for another machine.
            throw new InterruptedException("a signal ended the command");
        }
        if (ended.exitCode() != 0) {
            String program = Command.name(words);
            throw new CommandFailure('\'' + program + "' ended with status " + ended.exitCode(), ended.exitCode());
        }
    }

    // ---- one time ------------------------------------------------------------------------------------------------

    private int runOnce(Baton baton, Job job, Turns turns, Signals signals) throws InterruptedException {
        Instant time = instant(String.valueOf(fireTime));
        signals.take(turns::receive);
        turns.onEnd(Thread.currentThread()::interrupt);
        Job.Result result;
        try {
            result = Attempt.of(() -> job.run(time, run -> run(baton, turns, run)));
        } catch (InterruptedException ended) {
            String signal = turns.endedBy();
            return signal == null ? ExitCode.RUN_LOST : Signals.exitCode(signal);
        }
        String about = "job '" + name + "', fire time " + time + ": ";
        String by = result.by().isEmpty() ? "" : ", by " + Printable.of(result.by());
        return switch (result.outcome()) {
            case RAN -> ExitCode.OK;
            case FAILED -> failed(about, result);
            case LOST -> {
                tell(about + "the lock was lost before the outcome was recorded: another machine may run it");
                yield ExitCode.RUN_LOST;
            }
            case RUNNING_ELSEWHERE -> {
                tell(about + "the job runs elsewhere" + by);
                yield ExitCode.RUN_BUSY;
            }
            case ALREADY_DONE -> {
                tell(about + "it is over" + by);
                yield ExitCode.RUN_OVER;
            }
            case ABANDONED -> {
                tell(about + "its runner died, and it is not run again" + by);
                yield ExitCode.RUN_OVER;
            }
        };
    }

    private int failed(String about, Job.Result result) {
        Throwable why = result.failure().orElseThrow();
        tell(about + "attempt " + result.attempt() + " failed: " + Attempt.inOptions(String.valueOf(why.getMessage())));
        if (why instanceof CliException notStarted) {
            return translated(notStarted.exitCode());
        }
        return why instanceof CommandFailure failure ? failure.exitCode() : ExitCode.RUN_LOST;
    }

    private void tell(String what) {
        err.out().println("baton: " + Printable.of(what));
    }
}
