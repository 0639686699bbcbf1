package dev.baton.memcached;

import java.io.IOException;

/** The server refused a command, and did nothing. */
final class ErrorReply extends IOException {
    private static final long serialVersionUID = 1;

    /** The first word of such an answer. */
    static final String BUSY = "BUSY";

    ErrorReply(String line) {
        super(line);
    }

    /** Returns whether the server would carry the command out at another time. */
    boolean isBusy() {
        return String.valueOf(getMessage()).startsWith(BUSY);
    }
}
