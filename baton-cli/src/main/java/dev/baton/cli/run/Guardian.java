package dev.baton.cli.run;

import dev.baton.cli.CliException;
import dev.baton.cli.ExitCode;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.Objects;
import java.util.OptionalInt;
import java.util.concurrent.TimeUnit;

/**
 * A process that ends the command and all that it started: when told so, when nothing more is heard for as long as the
 * lock was sure, and when this process is gone. What it does is in {@code guardian.bash}. For one thread.
 */
final class Guardian implements AutoCloseable {
    /** Its exit code when it did what it is there for. */
    static final int HAS_ENDED_THE_COMMAND = 1;

    private static final byte[] SCRIPT = script();

    private final Process process;
    private final OutputStream words;

    private Guardian(Process process) {
        this.process = process;
        this.words = process.getOutputStream();
    }

    /**
     * Starts one.
     *
     * @param mark what the command will carry in its environment, as {@code NAME=VALUE}
     * @param grace between SIGTERM and SIGKILL
     */
    static Guardian start(String mark, Duration grace) {
        try {
            List<String> bash = List.of("bash", "-s");
            Process process = new ProcessBuilder(QuitSignal.unblocked(bash))
                    .redirectOutput(ProcessBuilder.Redirect.DISCARD)
                    .redirectError(ProcessBuilder.Redirect.DISCARD)
                    .start();
            Guardian guardian = new Guardian(process);
            guardian.write(SCRIPT);
            guardian.say("mark " + mark);
            guardian.say("grace " + grace.toMillis());
            return guardian;
        } catch (IOException e) {
            throw new CliException(
                    ExitCode.ENVIRONMENT,
                    "cannot start bash, which watches that no command goes on without its lock: is it installed, and on"
                            + " the PATH?",
                    e);
        }
    }

    /** What bash runs. */
    static byte[] script() {
        try (InputStream in = Objects.requireNonNull(Guardian.class.getResourceAsStream("guardian.bash"))) {
            return in.readAllBytes();
        } catch (IOException e) {
            throw new IllegalStateException("guardian.bash cannot be read", e);
        }
    }

    void guard(ProcessHandle command) {
        say("pid " + command.pid());
    }

    /** The lock is sure for so long. */
    void until(Duration remaining) {
        say("until " + remaining.toMillis());
    }

    void handOn(String signal) {
        say("signal " + signal);
    }

    /** Ends the command; see {@link #awaitEnd}. */
    void end() {
        say("end");
    }

    /** The command has ended by itself. */
    void dismiss() {
        say("done");
    }

    boolean isAlive() {
        return process.isAlive();
    }

    /** Waits until nothing of what the command started is left; empty if that takes longer than it should. */
    OptionalInt awaitEnd(Duration limit) throws InterruptedException {
        close();
        boolean ended = process.waitFor(limit.toMillis(), TimeUnit.MILLISECONDS);
        return ended ? OptionalInt.of(process.exitValue()) : OptionalInt.empty();
    }

    private void say(String line) {
        write((line + '\n').getBytes(StandardCharsets.US_ASCII));
    }

    private void write(byte[] bytes) {
        try {
            words.write(bytes);
            words.flush();
        } catch (IOException gone) {
            // Whoever asks isAlive() finds out, and starts another one.
        }
    }

    /** Without {@link #dismiss} before, this ends the command. */
    @Override
    public void close() {
        try {
            words.close();
        } catch (IOException gone) {
            // As intended.
        }
    }
}
