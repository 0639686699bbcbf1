package dev.baton.demo;

import java.io.BufferedReader;
import java.io.IOException;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * A process that is stopped until this is closed. A shell sends the signals. It waits for the end of its input, so the
 * process resumes even if this JVM is killed meanwhile. On a system without a shell nothing is stopped, and the holder
 * just waits for the order to go on.
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
            // The shell is gone, and has already sent CONT.
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }
}
