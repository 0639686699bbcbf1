package dev.baton.demo;

import java.io.BufferedReader;
import java.io.IOException;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * A process that stands still until this is closed. A shell sends the signals: it waits for its input to end, so the
 * process goes on even if this one is killed meanwhile. Where there is no shell nothing is stopped, and the holder
 * merely waits to be told to go on.
 */
final class Stopped implements AutoCloseable {
    private static final String SCRIPT = "kill -STOP \"$0\" && echo stopped; read -r line; kill -CONT \"$0\"";

    private final @Nullable Process shell;

    private Stopped(@Nullable Process shell) {
        this.shell = shell;
    }

    static Stopped stop(long pid) {
        try {
            // The launcher and `baton run` need bash: so no other shell has to be there.
            Process shell = new ProcessBuilder("bash", "-c", SCRIPT, Long.toString(pid))
                    .redirectError(ProcessBuilder.Redirect.DISCARD)
                    .start();
            BufferedReader answer = shell.inputReader();
            String unused = answer.readLine();
            return new Stopped(shell);
        } catch (IOException e) {
            return new Stopped(null);
        }
    }

    @Override
    public void close() {
        if (shell == null) {
            return;
        }
        try {
            shell.outputWriter().close();
            boolean unused = shell.waitFor(2, TimeUnit.SECONDS);
        } catch (IOException e) {
            // The shell is gone, and has said CONT before.
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }
}
