package dev.baton.jdbc;

import dev.baton.spi.Push;

/** Grants as the text of a notification. */
final class Notes {
    private static final int FIELDS = 6;

    private Notes() {}

    /** The channel of a client. */
    static String channel(String client) {
        return "baton_" + client;
    }

    static String text(Push push) {
        return push.attempt() + " " + push.token() + " " + push.deadlineMicros() + " " + push.nowMicros() + " "
                + push.runId() + " " + push.name();
    }

    /** Reads a text that {@link #text} wrote. */
    static Push push(String text) {
        String[] fields = text.split(" ", FIELDS);
        return new Push(
                fields[5],
                Long.parseLong(fields[0]),
                Long.parseLong(fields[1]),
                Long.parseLong(fields[2]),
                Long.parseLong(fields[3]),
                fields[4],
                0);
    }
}
