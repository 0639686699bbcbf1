package dev.baton.redis;

import java.io.PrintWriter;
import java.io.StringWriter;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.logging.Handler;
import java.util.logging.Level;
import java.util.logging.LogRecord;
import java.util.logging.Logger;

/** Collects everything that is logged in this JVM, at every level and with all causes. */
final class Logs implements AutoCloseable {
    private final List<String> lines = new CopyOnWriteArrayList<>();
    private final Logger root = Logger.getLogger("");
    private final Level level = root.getLevel();
    private final Handler handler = new Handler() {
        @Override
        public void publish(LogRecord record) {
            lines.add(record.getLevel() + " " + record.getLoggerName() + " " + record.getMessage() + " "
                    + (record.getThrown() == null ? "" : trace(record.getThrown())));
        }

        @Override
        public void flush() {}

        @Override
        public void close() {}
    };

    Logs() {
        handler.setLevel(Level.ALL);
        root.setLevel(Level.ALL);
        root.addHandler(handler);
    }

    /** Returns Baton's own messages. */
    List<String> ofBaton() {
        return lines.stream().filter(line -> line.contains(" dev.baton ")).toList();
    }

    /** Returns all messages. */
    List<String> all() {
        return lines;
    }

    /** Returns everything that a program can print of an exception: messages of all causes, and every frame. */
    static String trace(Throwable thrown) {
        StringWriter text = new StringWriter();
        thrown.printStackTrace(new PrintWriter(text));
        return text.toString();
    }

    @Override
    public void close() {
        root.removeHandler(handler);
        root.setLevel(level);
    }
}
