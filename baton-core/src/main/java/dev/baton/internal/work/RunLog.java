package dev.baton.internal.work;

import dev.baton.Job;
import dev.baton.internal.Exceptions;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * The recorded runs of a job, newest first, as its note has them: one line for the format, and one for each run with its
 * fire time, attempt, start and duration in milliseconds, its state, and who ran it. Immutable.
 */
final class RunLog {
    /** A later version that old clients cannot read must change it: they refuse the job instead of running it twice. */
    private static final String FORMAT = "baton-job 1";

    private static final int MAX_BYTES = 1024;
    private static final int LONGEST_RUNNER = 80;
    private static final int FIELDS = 6;
    private static final String NO_TIME = "-";

    private final List<Job.RecordedRun> runs;

    private RunLog(List<Job.RecordedRun> runs) {
        this.runs = List.copyOf(runs);
    }

    /** Reads a job's note. */
    static RunLog of(String job, Optional<byte[]> note) {
        if (note.isEmpty()) {
            return new RunLog(List.of());
        }
        List<String> lines =
                new String(note.get(), StandardCharsets.UTF_8).lines().toList();
        if (lines.isEmpty() || !lines.get(0).equals(FORMAT)) {
            throw unreadable(job, null);
        }
        try {
            return new RunLog(lines.stream().skip(1).map(RunLog::parse).toList());
        } catch (IllegalArgumentException broken) {
            throw unreadable(job, broken);
        }
    }

    private static RuntimeException unreadable(String job, @Nullable Throwable cause) {
        return Exceptions.get()
                .other(
                        "the note of the job \"" + job
                                + "\" is not a record of runs of this version: another program, or"
                                + " a newer Baton, has written it; use that version, or remove the note with"
                                + " admin().forget(\"" + JobRunner.PREFIX + job + "\")",
                        cause);
    }

    private static Job.RecordedRun parse(String line) {
        String[] fields = line.split(" ", FIELDS);
        if (fields.length != FIELDS) {
            throw new IllegalArgumentException(line);
        }
        return new Job.RecordedRun(
                Instant.ofEpochMilli(Long.parseLong(fields[0])),
                Integer.parseInt(fields[1]),
                fields[5],
                Instant.ofEpochMilli(Long.parseLong(fields[2])),
                fields[3].equals(NO_TIME)
                        ? Optional.empty()
                        : Optional.of(Duration.ofMillis(Long.parseLong(fields[3]))),
                Job.State.valueOf(fields[4]));
    }

    List<Job.RecordedRun> runs() {
        return runs;
    }

    private Optional<Job.RecordedRun> newest() {
        return runs.stream().findFirst();
    }

    /** Returns the last fire time that has begun. */
    Optional<Instant> last() {
        return newest().map(Job.RecordedRun::fireTime);
    }

    /** Returns the run that has begun for a fire time, if it is the newest, and no outcome is recorded. */
    Optional<Job.RecordedRun> openRun(Instant fireTime) {
        return newest().filter(run -> run.fireTime().equals(fireTime) && run.state() == Job.State.RUNNING);
    }

    /** Returns whether a fire time must not be run any more. */
    boolean isOver(Instant fireTime) {
        return last().filter(last -> !last.isBefore(fireTime)).isPresent()
                && openRun(fireTime).isEmpty();
    }

    /** Returns the result for a client that finds a fire time over. */
    Job.Result over(Instant fireTime) {
        String by = runFor(fireTime).map(Job.RecordedRun::by).orElse("");
        return new Job.Result(Job.Outcome.ALREADY_DONE, fireTime, 0, by, Optional.empty());
    }

    /** Returns the recorded run for a fire time. */
    Optional<Job.RecordedRun> runFor(Instant fireTime) {
        return runs.stream().filter(run -> run.fireTime().equals(fireTime)).findFirst();
    }

    /** Adds the beginning of a run. Another run that has no outcome gets none any more. */
    RunLog started(Instant fireTime, int attempt, String by, Instant now) {
        Job.RecordedRun begun =
                new Job.RecordedRun(fireTime, attempt, runner(by), now, Optional.empty(), Job.State.RUNNING);
        Stream<Job.RecordedRun> earlier = runs.stream()
                .filter(run -> !run.fireTime().equals(fireTime))
                .map(run -> run.state() == Job.State.RUNNING ? as(run, Optional.empty(), Job.State.UNKNOWN) : run);
        return new RunLog(Stream.concat(Stream.of(begun), earlier).toList());
    }

    /** Adds the outcome of the newest run. */
    RunLog ended(Optional<Duration> took, Job.State state) {
        List<Job.RecordedRun> changed = new ArrayList<>(runs);
        changed.set(0, as(changed.get(0), took, state));
        return new RunLog(changed);
    }

    private static Job.RecordedRun as(Job.RecordedRun run, Optional<Duration> took, Job.State state) {
        return new Job.RecordedRun(run.fireTime(), run.attempt(), run.by(), run.started(), took, state);
    }

    /** One line, and not too long, for any names of host and application. */
    private static String runner(String by) {
        String line = by.replaceAll("[\\p{Cntrl}\\p{Zl}\\p{Zp}]", " ");
        int length = line.length();
        while (line.substring(0, length).getBytes(StandardCharsets.UTF_8).length > LONGEST_RUNNER) {
            length--;
        }
        return line.substring(0, length).strip();
    }

    /** Returns the note, with as many runs as have room. */
    byte[] note() {
        StringBuilder text = new StringBuilder(FORMAT).append('\n');
        for (Job.RecordedRun run : runs) {
            String line = line(run);
            if (bytes(text + line).length > MAX_BYTES) {
                break;
            }
            text.append(line);
        }
        return bytes(text.toString());
    }

    private static byte[] bytes(String text) {
        return text.getBytes(StandardCharsets.UTF_8);
    }

    private static String line(Job.RecordedRun run) {
        return run.fireTime().toEpochMilli() + " " + run.attempt() + ' '
                + run.started().toEpochMilli() + ' '
                + run.took().map(took -> Long.toString(took.toMillis())).orElse(NO_TIME) + ' ' + run.state() + ' '
                + run.by() + '\n';
    }
}
