package dev.baton.cli.console;

import java.text.MessageFormat;
import java.util.ResourceBundle;
import org.jspecify.annotations.Nullable;

/**
 * Shows the logs of libraries only with {@code --debug}, one line per entry on standard error: the commands themselves
 * report everything that matters. Named in {@code META-INF/services}.
 */
public final class QuietLog extends System.LoggerFinder {
    private static final String OWN = "dev.baton";

    private static volatile boolean shown;
    private static volatile boolean troubles;
    private static volatile String said = "";

    /** Makes the finder, for the service loader. */
    public QuietLog() {}

    /**
     * Also silences libraries that log through java.util.logging (gRPC): it names this class as the one
     * that configures that logging, and this class configures nothing. Costs nothing unless such a library is used.
     */
    public static void quietLibraries() {
        System.setProperty("java.util.logging.config.class", "dev.baton.cli.console.QuietLog");
    }

    /** Shows the logs from now on. */
    public static void show() {
        shown = true;
    }

    /** Shows Baton's own warnings from now on, one line each: for commands that run for days. */
    public static void showTroubles() {
        troubles = true;
    }

    @Override
    public System.Logger getLogger(String name, Module module) {
        return new Line(name);
    }

    private record Line(String name) implements System.Logger {
        @Override
        public String getName() {
            return name;
        }

        @Override
        public boolean isLoggable(Level level) {
            int least = shown || !troubles ? Level.INFO.getSeverity() : Level.WARNING.getSeverity();
            return (shown || (troubles && name.equals(OWN))) && level.getSeverity() >= least;
        }

        @Override
        public void log(Level level, @Nullable ResourceBundle bundle, String message, @Nullable Throwable thrown) {
            if (isLoggable(level) && !shown) {
                String line = message + (thrown == null ? "" : ": " + thrown.getMessage());
                if (!line.equals(said)) {
                    said = line;
                    Terminal.standardError().out().println("baton: " + Printable.of(line));
                }
            } else if (isLoggable(level)) {
                Terminal err = Terminal.standardError();
                err.out().println("baton: " + level + ' ' + Printable.of(String.valueOf(message)));
                if (thrown != null) {
                    Errors.printStackTrace(thrown, err);
                }
            }
        }

        @Override
        public void log(Level level, @Nullable ResourceBundle bundle, String format, @Nullable Object... parameters) {
            boolean formatted = parameters != null && parameters.length > 0;
            log(level, bundle, formatted ? MessageFormat.format(format, parameters) : format, (Throwable) null);
        }
    }
}
