package dev.baton.memcached;

import dev.baton.spi.Deadline;
import dev.baton.spi.Protocol;
import java.io.IOException;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.concurrent.atomic.AtomicBoolean;

/**
 * A connection, and the server process at its other end: another process is always behind another connection.
 * Thread-safe.
 */
final class Session {
    private static final long MICROS = 1_000_000;

    private final Wire wire;
    private final Map<String, String> stats;
    private final long startSeconds;

    /** Only one call at a time reads it anew: the old reading is still right, but less precise. */
    private volatile ServerTime time;

    private final AtomicBoolean refreshes = new AtomicBoolean();

    private Session(Wire wire, Map<String, String> stats, ServerTime time) throws IOException {
        this.wire = wire;
        this.stats = stats;
        this.time = time;
        this.startSeconds = number(stats, "time") - number(stats, "uptime");
    }

    /** Identifies the server on a new connection. */
    static Session on(Wire wire, Deadline deadline) throws IOException {
        Map<String, String> stats = stats(wire, "stats", deadline);
        return new Session(wire, stats, timeOf(wire, deadline));
    }

    /** Returns the lines of {@code stats}, by name. */
    static Map<String, String> stats(Wire wire, String command, Deadline deadline) throws IOException {
        Map<String, String> values = new LinkedHashMap<>();
        wire.askLines(command, deadline, line -> {
            String[] words = line.split(" ", 3);
            if (words.length == 3) {
                values.put(words[1], words[2]);
            }
        });
        return values;
    }

    private static ServerTime timeOf(Wire wire, Deadline deadline) throws IOException {
        ServerTime time = askTime(wire, deadline);
        return time.wasSlow() ? askTime(wire, deadline) : time;
    }

    private static ServerTime askTime(Wire wire, Deadline deadline) throws IOException {
        Deadline sent = Deadline.in(0);
        long seconds = number(stats(wire, "stats", deadline), "time");
        return new ServerTime(seconds, sent, Deadline.in(0));
    }

    private static long number(Map<String, String> stats, String name) throws IOException {
        try {
            return Long.parseLong(stats.getOrDefault(name, ""));
        } catch (NumberFormatException e) {
            throw new IOException("it does not say its " + name, e);
        }
    }

    Wire wire() {
        return wire;
    }

    String version() {
        return stats.getOrDefault("version", "");
    }

    /** Returns the identity of the process. */
    String process() {
        return startSeconds + "-" + stats.getOrDefault("pid", "");
    }

    /** Returns the server's clock when it was last read. */
    long seconds() {
        return time.seconds();
    }

    /** Reads the server's clock again if the last reading is old. */
    void refresh(Deadline deadline) throws IOException {
        if (time.isOld() && refreshes.compareAndSet(false, true)) {
            try {
                // After a stop the first answer may be from before the clock ticked.
                askTime(wire, deadline);
                time = time.orNewer(timeOf(wire, deadline));
            } finally {
                refreshes.set(false);
            }
        }
    }

    /** Returns the second, on the server's clock, at which an item may end that is to live the given time from now. */
    long endAfter(long micros) {
        return (time.latestMicros() + micros + MICROS - 1) / MICROS;
    }

    /**
     * Returns the token of the hold that a version of an item granted. The process counts versions over all its items,
     * so tokens grow as long as it lives, even if items were evicted or flushed. The next process counts from its own
     * start: its tokens are greater if its predecessor wrote fewer than 16,000 items a second on average.
     */
    long tokenOf(long cas) {
        return Protocol.clockToken(startSeconds * MICROS) + cas;
    }
}
