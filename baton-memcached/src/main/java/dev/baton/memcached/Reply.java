package dev.baton.memcached;

import org.jspecify.annotations.Nullable;

/**
 * An answer to one command.
 *
 * @param code its first word
 * @param cas the item's version; 0 without a value
 * @param value the item's value, or the text of an error; null without one
 */
record Reply(String code, long cas, @Nullable String value) {
    private static final String ERROR = "SERVER_ERROR";

    static Reply of(String[] words, @Nullable String value) {
        long cas = 0;
        for (int i = value == null ? 1 : 2; i < words.length; i++) {
            if (words[i].startsWith("c")) {
                cas = Long.parseUnsignedLong(words[i].substring(1));
            }
        }
        return new Reply(words[0], cas, value);
    }

    /** Returns the reply to a command that the server could not carry out. */
    static Reply error(String line) {
        return new Reply(ERROR, 0, line);
    }

    boolean isError() {
        return code.equals(ERROR);
    }

    /** Returns whether the command was carried out; false if another client was faster. */
    boolean isDone() throws ErrorReply {
        refuseError();
        return code.equals("STORED") || code.equals("HD");
    }

    /** Returns whether the item exists. */
    boolean isFound() throws ErrorReply {
        refuseError();
        return code.equals("VA");
    }

    private void refuseError() throws ErrorReply {
        if (isError()) {
            throw new ErrorReply(String.valueOf(value), true);
        }
    }
}
