package dev.baton.cli;

import java.io.BufferedReader;
import java.io.FileDescriptor;
import java.io.FileOutputStream;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.PrintStream;
import java.io.PrintWriter;
import java.nio.charset.Charset;
import java.nio.charset.StandardCharsets;
import java.util.Locale;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * One output of the process, and what it can show. The launcher knows which outputs are terminals and how wide they
 * are, and says so in system properties, because Java before 22 cannot tell; without it nothing is a terminal.
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
                descriptor,
                isTerminal,
                isTerminal && !"dumb".equals(environment.get("TERM")),
                environment.getOrDefault("NO_COLOR", "").isEmpty(),
                speaksUtf8(environment));
    }

    private Terminal(FileDescriptor descriptor, boolean terminal, boolean live, boolean colorWanted, boolean unicode) {
        this.charset = unicode ? StandardCharsets.UTF_8 : StandardCharsets.US_ASCII;
        this.out = new PrintStream(new FileOutputStream(descriptor), true, charset);
        this.terminal = terminal;
        this.live = live;
        this.colored = live && colorWanted;
        this.unicode = unicode;
        this.width = Integer.getInteger("baton.columns", USUAL_WIDTH);
    }

    static Terminal standardOutput() {
        return new Terminal(FileDescriptor.out, isTerminal("baton.stdout.tty"), System.getenv());
    }

    static Terminal standardError() {
        return new Terminal(FileDescriptor.err, isTerminal("baton.stderr.tty"), System.getenv());
    }

    /**
     * Whether there is somebody to ask.
     *
     * @return true if answers come from a terminal, and questions are seen on one
     */
    public static boolean canAsk() {
        return isTerminal("baton.stdin.tty") && isTerminal("baton.stderr.tty");
    }

    /**
     * What somebody typed, up to the end of the line.
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
     * Where to print.
     *
     * @return a stream that flushes at each line
     */
    public PrintStream out() {
        return out;
    }

    /**
     * Prints a result for programs, in a line of its own.
     *
     * @param object as {@link Json#of} takes it
     */
    public void json(Map<String, ?> object) {
        out.println(Json.of(object));
        out.flush();
        jsonPrinted = true;
    }

    /** Whether a program has been told something. */
    boolean jsonPrinted() {
        return jsonPrinted;
    }

    PrintWriter writer() {
        return new PrintWriter(out, true, charset);
    }

    /**
     * Whether a person reads it.
     *
     * @return false for files and pipes
     */
    public boolean isTerminal() {
        return terminal;
    }

    /**
     * Whether a line can be rewritten in place.
     *
     * @return false for files, pipes and dumb terminals
     */
    public boolean live() {
        return live;
    }

    /**
     * Whether colours are wanted.
     *
     * @return false where lines cannot be rewritten, and under {@code NO_COLOR}
     */
    public boolean colored() {
        return colored;
    }

    /**
     * Whether more than ASCII can be shown.
     *
     * @return true if the locale says UTF-8
     */
    public boolean unicode() {
        return unicode;
    }

    /**
     * How many characters fit in a line.
     *
     * @return the width at the start
     */
    public int width() {
        return width;
    }

    /**
     * Colours a text if colours are wanted.
     *
     * @param style how
     * @param text what
     * @return the text, perhaps with escape sequences around it
     */
    public String paint(Style style, String text) {
        return colored ? "\u001b[" + style.code + "m" + text + "\u001b[0m" : text;
    }

    /** How text can stand out. */
    public enum Style {
        /** For headings. */
        BOLD("1"),
        /** For what matters less. */
        DIM("2"),
        /** For what is wrong. */
        RED("31"),
        /** For what is right. */
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
