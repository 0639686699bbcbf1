package dev.baton.tck;

import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.logging.Handler;
import java.util.logging.Level;
import java.util.logging.LogRecord;
import java.util.logging.Logger;

/**
 * Collects Baton's log entries of level warning or above, if {@link System.Logger} writes to {@code java.util.logging}.
 */
final class LogWatch implements AutoCloseable {
    private final List<String> warnings = new CopyOnWriteArrayList<>();
    private final Logger logger = Logger.getLogger("dev.baton");
    private final Handler handler = new Handler() {
        @Override
        public void publish(LogRecord record) {
            if (record.getLevel().intValue() >= Level.WARNING.intValue()) {
                warnings.add(record.getLevel() + " " + record.getMessage() + " " + record.getThrown());
                then.run();
            }
        }

        @Override
        public void flush() {}

        @Override
        public void close() {}
    };

    private final Runnable then;

    LogWatch() {
        this(() -> {});
    }

    /** Also runs an action for each warning, on the thread that logs. */
    LogWatch(Runnable then) {
        this.then = then;
        logger.addHandler(handler);
    }

    List<String> warnings() {
        return warnings;
    }

    @Override
    public void close() {
        logger.removeHandler(handler);
    }
}
