package dev.baton.cli.console;

import java.io.BufferedReader;
import java.io.FileDescriptor;
import java.io.FileOutputStream;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.OutputStream;
import java.io.PrintStream;
import java.io.PrintWriter;
import java.nio.charset.Charset;
import java.nio.charset.StandardCharsets;
import java.util.Locale;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * One output of the process, and its abilities. The launcher knows which outputs are terminals and how wide they are.
 * It passes this in system properties, because Java before 22 cannot tell. Without these properties no output counts as
 * a terminal.
 */
public final class Terminal {
    private static final int USUAL_WIDTH = 80;

    private final PrintStream out;
    private final Charset charset;
    private final boolean terminal;
    private final boolean live;
    private final boolean colored;
    private final boolean unicode;
    private final int width;
    private boolean jsonPrinted;

    private Terminal(FileDescriptor descriptor, boolean isTerminal, Map<String, String> environment) {
        this(
                new FileOutputStream(descriptor),
                isTerminal,
                isTerminal && !"dumb".equals(environment.get("TERM")),
                environment.getOrDefault("NO_COLOR", "").isEmpty(),
                speaksUtf8(environment));
    }

    private Terminal(OutputStream out, boolean terminal, boolean live, boolean colorWanted, boolean unicode) {
        this.charset = unicode ? StandardCharsets.UTF_8 : StandardCharsets.US_ASCII;
        this.out = new PrintStream(out, true, charset);
        this.terminal = terminal;
        this.live = live;
        this.colored = live && colorWanted;
        this.unicode = unicode;
        this.width = Integer.getInteger("baton.columns", USUAL_WIDTH);
    }

    /**
     * Returns an output that is no terminal.
     *
     * @param out where its text goes, in UTF-8
     * @return a view of it
     */
    public static Terminal noTerminal(OutputStream out) {
        return new Terminal(out, false, false, false, true);
    }

    /**
     * Returns the standard output.
     *
     * @return a new view of it
     */
    public static Terminal standardOutput() {
        return new Terminal(FileDescriptor.out, isTerminal("baton.stdout.tty"), System.getenv());
    }

    /**
     * Returns the standard error.
     *
     * @return a new view of it
     */
    public static Terminal standardError() {
        return new Terminal(FileDescriptor.err, isTerminal("baton.stderr.tty"), System.getenv());
    }

    /**
     * Returns whether a user can be asked.
     *
     * @return true if answers come from a terminal, and questions appear on one
     */
    public static boolean canAsk() {
        return isTerminal("baton.stdin.tty") && isTerminal("baton.stderr.tty");
    }

    /**
     * Returns the user's input up to the end of the line.
     *
     * @return the line without blanks around it; empty if there is none
     */
    public static String readAnswer() {
        try {
            String line = new BufferedReader(new InputStreamReader(System.in, StandardCharsets.UTF_8)).readLine();
            return line == null ? "" : line.strip();
        } catch (IOException nobody) {
            return "";
        }
    }

    /**
     * Returns the stream for output.
     *
     * @return a stream that flushes at each line
     */
    public PrintStream out() {
        return out;
    }

    /**
     * Prints a result for programs, on its own line.
     *
     * @param object as {@link Json#of} takes it
     */
    public void json(Map<String, ?> object) {
        out.println(Json.of(object));
        out.flush();
        jsonPrinted = true;
    }

    /**
     * Returns whether a JSON result was printed.
     *
     * @return true after {@link #json}
     */
    public boolean jsonPrinted() {
        return jsonPrinted;
    }

    /**
     * Returns a writer for output.
     *
     * @return a writer that flushes at each line
     */
    public PrintWriter writer() {
        return new PrintWriter(out, true, charset);
    }

    /**
     * Returns whether this output is a terminal.
     *
     * @return false for files and pipes
     */
    public boolean isTerminal() {
        return terminal;
    }

    /**
     * Returns whether a line can be rewritten in place.
     *
     * @return false for files, pipes and dumb terminals
     */
    public boolean live() {
        return live;
    }

    /**
     * Returns whether to use colours.
     *
     * @return false if lines cannot be rewritten, and with {@code NO_COLOR}
     */
    public boolean colored() {
        return colored;
    }

    /**
     * Returns whether the output can show more than ASCII.
     *
     * @return true if the locale says UTF-8
     */
    public boolean unicode() {
        return unicode;
    }

    /**
     * Returns how many characters fit in a line.
     *
     * @return the width when the process started
     */
    public int width() {
        return width;
    }

    /**
     * Colours a text if colours are wanted.
     *
     * @param style the style to apply
     * @param text the text
     * @return the text, perhaps with escape sequences around it
     */
    public String paint(Style style, String text) {
        return colored ? "\u001b[" + style.code + "m" + text + "\u001b[0m" : text;
    }

    /** Ways to highlight text. */
    public enum Style {
        /** For headings. */
        BOLD("1"),
        /** For less important text. */
        DIM("2"),
        /** For problems. */
        RED("31"),
        /** For good results. */
        GREEN("32");

        private final String code;

        Style(String code) {
            this.code = code;
        }
    }

    private static boolean isTerminal(String property) {
        return Boolean.getBoolean(property);
    }

    private static boolean speaksUtf8(Map<String, String> environment) {
        for (String name : new String[] {"LC_ALL", "LC_CTYPE", "LANG"}) {
            @Nullable String value = environment.get(name);
            if (value != null && !value.isEmpty()) {
                String lower = value.toLowerCase(Locale.ROOT);
                return lower.contains("utf-8") || lower.contains("utf8");
            }
        }
        return false;
    }
}
