package dev.baton.jdbc;

import dev.baton.spi.Push;
import java.nio.charset.StandardCharsets;
import java.util.Base64;

/**
 * Grants as the text of a notification. The name is in base 64, because PostgreSQL refuses U+0000 in text, and converts
 * the rest to the listener's encoding.
 */
final class Notifications {
    private static final int FIELDS = 7;

    private Notifications() {}

    /** Returns the channel of a client. */
    static String channel(String client) {
        return "baton_" + client;
    }

    static String text(Push push) {
        return push.attempt() + " " + push.token() + " " + push.deadlineMicros() + " " + push.nowMicros() + " "
                + push.runId() + " " + Base64.getEncoder().encodeToString(Utf8.bytes(push.name())) + " "
                + push.secret();
    }

    /**
     * Reads a text that {@link #text} wrote.
     *
     * @throws IllegalArgumentException if the text has another form
     */
    static Push push(String text) {
        String[] fields = text.split(" ", -1);
        if (fields.length != FIELDS) {
            throw new IllegalArgumentException("a notification of " + fields.length + " fields, not " + FIELDS);
        }
        return new Push(
                new String(Base64.getDecoder().decode(fields[5]), StandardCharsets.UTF_8),
                Long.parseLong(fields[0]),
                Long.parseLong(fields[1]),
                Long.parseLong(fields[2]),
                Long.parseLong(fields[3]),
                fields[4],
                Long.parseLong(fields[6]));
    }
}
