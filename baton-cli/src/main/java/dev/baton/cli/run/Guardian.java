package dev.baton.cli.run;

import dev.baton.cli.console.CliException;
import dev.baton.cli.console.ExitCode;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.Objects;
import java.util.OptionalInt;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;

/**
 * A process that ends the command and all its descendants in three cases: it is told to, it hears nothing for as long
 * as the lock was certain, or this process is gone. Its code is in {@code guardian.bash}. For one thread.
 */
final class Guardian implements AutoCloseable {
    /** Its exit code if it ended the command. */
    static final int HAS_ENDED_THE_COMMAND = 1;

    private static final byte[] SCRIPT = script();

    private final Process process;
    private final OutputStream words;

    private Guardian(Process process) {
        this.process = process;
        this.words = process.getOutputStream();
    }

    /**
     * Starts a guardian, and waits until it listens. Before that, a signal to the process group would end it, and the
     * next guardian would not know that the command got that signal as well.
     *
     * @param mark the variable that the command will have in its environment, as {@code NAME=VALUE}
     * @param grace between SIGTERM and SIGKILL
     */
    static Guardian start(String mark, Duration grace) {
        try {
            List<String> bash = List.of("bash", "-s");
            Process process = new ProcessBuilder(QuitSignal.unblocked(bash))
                    .redirectError(ProcessBuilder.Redirect.DISCARD)
                    .start();
            Guardian guardian = new Guardian(process);
            guardian.write(SCRIPT);
            guardian.awaitListening();
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

    /** Refuses a machine where no guardian can be started. */
    static void require() {
        try (Guardian guardian = start(Command.MARK + "=none", Duration.ZERO)) {
            guardian.dismiss();
        }
    }

    /** Returns the script that bash runs. */
    static byte[] script() {
        try (InputStream in = Objects.requireNonNull(Guardian.class.getResourceAsStream("guardian.bash"))) {
            return in.readAllBytes();
        } catch (IOException e) {
            throw new IllegalStateException("guardian.bash cannot be read", e);
        }
    }

    /** Waits for the first line of the guardian, or for its end. */
    private void awaitListening() throws IOException {
        try (InputStream said = process.getInputStream()) {
            int read = said.read();
            while (read >= 0 && read != '\n') {
                read = said.read();
            }
        }
    }

    void guard(ProcessHandle command) {
        say("pid " + command.pid());
    }

    /** Reports that the lock is certain for this long. */
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

    /** Reports that the command has ended by itself. */
    void dismiss() {
        say("done");
    }

    boolean isAlive() {
        return process.isAlive();
    }

    /**
     * Waits until the guardian has ended, and returns its exit code. Unless it was dismissed, no process of the command
     * is left then. Returns an empty value if that takes longer than the limit. An interrupt does not shorten the wait.
     */
    OptionalInt awaitEnd(Duration limit) {
        close();
        CompletableFuture<OptionalInt> end = process.onExit().thenApply(ended -> OptionalInt.of(ended.exitValue()));
        return end.completeOnTimeout(OptionalInt.empty(), limit.toMillis(), TimeUnit.MILLISECONDS)
                .join();
    }

    private void say(String line) {
        write((line + '\n').getBytes(StandardCharsets.US_ASCII));
    }

    private void write(byte[] bytes) {
        try {
            words.write(bytes);
            words.flush();
        } catch (IOException gone) {
            // The caller of isAlive() notices this, and starts another guardian.
        }
    }

    /** Closes the pipe. Without a previous {@link #dismiss}, the guardian then ends the command. */
    @Override
    public void close() {
        try {
            words.close();
        } catch (IOException gone) {
            // The guardian is gone already.
        }
    }
}
