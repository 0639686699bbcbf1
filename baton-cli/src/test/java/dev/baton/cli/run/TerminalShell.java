package dev.baton.cli.run;

import static org.assertj.core.api.Assertions.assertThat;

import com.pty4j.PtyProcess;
import com.pty4j.PtyProcessBuilder;
import dev.baton.cli.BatonProcess;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** A user at a terminal: bash with job control, in which {@code baton} is the command of this build. */
final class TerminalShell implements AutoCloseable {
    private static final char CONTROL = 0x40;

    /**
     * The number of the next command is part of the prompt: a shell that learns the size of its terminal late shows the
     * same prompt again, and that must not pass for the end of a command.
     */
    private static final Pattern PROMPT = Pattern.compile("ready (\\d+)> ");

    private final PtyProcess process;
    private final StringBuffer shown = new StringBuffer();
    private int read;
    private int prompt;

    private TerminalShell(PtyProcess process) {
        this.process = process;
        Thread reader = new Thread(this::show, "terminal");
        reader.setDaemon(true);
        reader.start();
    }

    static TerminalShell open(Path directory, String store) throws Exception {
        return open(directory, store, 200);
    }

    static TerminalShell open(Path directory, String store, int columns) throws Exception {
        BatonProcess.install(
                directory,
                directory,
                List.of("-Dbaton.stdout.tty=true", "-Dbaton.stderr.tty=true", "-Dbaton.columns=" + columns));
        Map<String, String> environment = new HashMap<>(System.getenv());
        environment.putAll(Map.of(
                "PATH", directory + ":" + System.getenv("PATH"),
                "BATON_STORE", store,
                "PS1", "ready \\#> ",
                "TERM", "xterm",
                "LC_ALL", "C.UTF-8"));
        // A child of a JVM has QUIT blocked, which a terminal's shell never has.
        String[] words = {"env", "--default-signal=QUIT", "bash", "--norc", "--noprofile", "-i"};
        TerminalShell shell = new TerminalShell(new PtyProcessBuilder(words)
                .setEnvironment(environment)
                .setDirectory(directory.toString())
                .setInitialColumns(columns)
                .start());
        shell.expectPrompt();
        return shell;
    }

    private void show() {
        byte[] buffer = new byte[4096];
        try (InputStream in = process.getInputStream()) {
            for (int count = in.read(buffer); count >= 0; count = in.read(buffer)) {
                shown.append(new String(buffer, 0, count, StandardCharsets.UTF_8));
            }
        } catch (IOException closed) {
            // The shell has ended.
        }
    }

    /** Types a line. */
    void type(String line) throws IOException {
        send(line + '\n');
    }

    /** Presses a key together with Ctrl. */
    void control(char key) throws IOException {
        send(Character.toString((char) (key - CONTROL)));
    }

    private void send(String text) throws IOException {
        process.getOutputStream().write(text.getBytes(StandardCharsets.UTF_8));
        process.getOutputStream().flush();
    }

    /** Waits until a text appears after the last text that was waited for. */
    void expect(String text) throws Exception {
        await(text, () -> shown.indexOf(text, read) >= 0);
        read = shown.indexOf(text, read) + text.length();
    }

    /** Waits for the prompt that follows the last command. */
    void expectPrompt() throws Exception {
        await("a prompt after number " + prompt, this::promptIsShown);
    }

    private void await(String what, Callable<Boolean> isShown) throws Exception {
        try {
            Runs.until("it is shown", isShown);
        } catch (AssertionError never) {
            throw new AssertionError("never shown: " + what + "\nin:\n" + shown, never);
        }
    }

    private boolean promptIsShown() {
        Matcher matcher = PROMPT.matcher(shown.toString());
        for (int from = read; matcher.find(from); from = matcher.end()) {
            int number = Integer.parseInt(matcher.group(1));
            if (number > prompt) {
                prompt = number;
                read = matcher.end();
                return true;
            }
        }
        return false;
    }

    /** Waits for the end of the last command, and returns its exit code as shown. */
    String exitCode() throws Exception {
        expectPrompt();
        type("echo \"<$?>\"");
        // The terminal also echoes the typed line.
        expect("$?");
        expect("<");
        int start = read;
        expect(">");
        String code = shown.substring(start, read - 1);
        expectPrompt();
        return code;
    }

    String shown() {
        return shown.toString();
    }

    void hasNotShown(String text) {
        assertThat(shown.toString()).doesNotContain(text);
    }

    @Override
    public void close() {
        process.destroyForcibly();
    }
}
