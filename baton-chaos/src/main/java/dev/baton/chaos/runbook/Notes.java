package dev.baton.chaos.runbook;

import dev.baton.BatonEvent;
import dev.baton.BatonListener;
import dev.baton.chaos.history.HistoryWriter;
import dev.baton.chaos.history.HostTime;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.ReentrantLock;
import java.util.logging.Handler;
import java.util.logging.LogRecord;
import java.util.logging.Logger;

/**
 * Writes into the history what a client tells an operator: its events and its log. The first of each kind is written at
 * once, and its count each second at most, so that a process that is killed loses little. Thread-safe.
 */
public final class Notes extends Handler implements BatonListener, AutoCloseable {
    private static final long PAUSE = TimeUnit.SECONDS.toNanos(1);

    /** Messages that are in no row differ in their numbers; there are not more kinds than these. */
    private static final int MOST = 200;

    private final HistoryWriter history;
    private final Runbook runbook = Runbook.shipped();
    private final Logger logger = Logger.getLogger("dev.baton");
    private final Map<String, Count> counts = new ConcurrentHashMap<>();

    private final class Count {
        private final String text;
        private final ReentrantLock guard = new ReentrantLock();
        private long count;
        private long written;
        private long writtenNanos;

        Count(String text) {
            this.text = text;
        }

        void add() {
            guard.lock();
            try {
                count++;
                if (count == 1 || HostTime.nanos() - writtenNanos > PAUSE) {
                    write();
                }
            } finally {
                guard.unlock();
            }
        }

        void write() {
            guard.lock();
            try {
                if (written != count) {
                    history.said(count, text);
                    written = count;
                    writtenNanos = HostTime.nanos();
                }
            } finally {
                guard.unlock();
            }
        }
    }

    /** Begins to hear the log. */
    public Notes(HistoryWriter history) {
        this.history = history;
        logger.addHandler(this);
    }

    @Override
    public void onEvent(BatonEvent event) {
        String type = event.type().name();
        Object why = event.reason() == null ? event.lossCause() : event.reason();
        count(why == null ? type : type + ' ' + why);
    }

    @Override
    public void publish(LogRecord record) {
        String message = String.valueOf(record.getMessage());
        count(runbook.find(message)
                .map(Runbook.Entry::text)
                .orElseGet(() -> message.replaceAll("\\R", " ").replaceAll("\\d+", "N")));
    }

    private void count(String text) {
        if (counts.size() < MOST || counts.containsKey(text)) {
            counts.computeIfAbsent(text, Count::new).add();
        }
    }

    @Override
    public void flush() {
        counts.values().forEach(Count::write);
    }

    @Override
    public void close() {
        logger.removeHandler(this);
        flush();
    }
}
