package dev.baton.cli;

import java.text.MessageFormat;
import java.util.ResourceBundle;
import org.jspecify.annotations.Nullable;

/**
 * What libraries log is shown with {@code --debug} only, one line each on standard error: commands say themselves what
 * matters. Named in {@code META-INF/services}.
 */
public final class QuietLog extends System.LoggerFinder {
    private static volatile boolean shown;

    /** The finder. */
    public QuietLog() {}

    /**
     * Has also those keep quiet that log by java.util.logging (gRPC): what is named there sets that up, and sets up
     * nothing. Costs nothing unless one of them is used.
     */
    public static void quietLibraries() {
        System.setProperty("java.util.logging.config.class", "dev.baton.cli.QuietLog");
    }

    static void show() {
        shown = true;
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
            return shown && level.getSeverity() >= Level.INFO.getSeverity();
        }

        @Override
        public void log(Level level, @Nullable ResourceBundle bundle, String message, @Nullable Throwable thrown) {
            if (isLoggable(level)) {
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
