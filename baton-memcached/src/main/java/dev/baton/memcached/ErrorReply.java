package dev.baton.memcached;

import java.io.IOException;

/** The server refused a command, and did nothing. */
final class ErrorReply extends IOException {
    private static final long serialVersionUID = 1;

    /** The first word of such an answer. */
    static final String BUSY = "BUSY";

    private final boolean whole;

    /**
     * Creates the exception.
     *
     * @param whole whether the line was all of the answer
     */
    ErrorReply(String line, boolean whole) {
        super(line);
        this.whole = whole;
    }

    /** Returns whether all of the answer has been read. */
    boolean isWhole() {
        return whole;
    }

    /** Returns whether the server would carry the command out at another time. */
    boolean isBusy() {
        return String.valueOf(getMessage()).startsWith(BUSY);
    }
}
