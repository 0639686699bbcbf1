package dev.baton.redis;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Reads answers in RESP as far as bytes have arrived. An incomplete answer waits for more bytes, so a read may time out
 * anywhere, even in the middle of a number, without losing its place. Understands RESP2 and the additions of RESP3.
 *
 * <p>Answers are {@code Long}, {@code byte[]}, {@code String} (a line), {@code List}, {@link Nil} or {@link RespError}.
 * Not thread-safe.
 */
final class RespReader {
    /** No value. */
    enum Nil {
        /** The only instance. */
        NIL
    }

    /** A message that was skipped. */
    enum Large {
        /** The only instance. */
        LARGE
    }

    /** An error in place of an answer. */
    record RespError(String message) {}

    private static final int START_SIZE = 16 * 1024;
    /** Far above any answer to Baton: beyond this, another program is speaking. */
    private static final int LARGEST = 256 * 1024 * 1024;

    private static final int DEEPEST = 16;

    /** Internal signal, without a stack trace: more bytes are needed. */
    private static final class Incomplete extends Exception {
        private static final long serialVersionUID = 1L;

        private Incomplete() {
            super(null, null, false, false);
        }
    }

    /** Internal signal, without a stack trace: the rest of an answer is one text that is too large. */
    private static final class Oversized extends Exception {
        private static final long serialVersionUID = 1L;

        private final long bytes;

        private Oversized(long bytes) {
            super(null, null, false, false);
            this.bytes = bytes;
        }
    }

    private final long passedOver;
    private byte[] bytes = new byte[START_SIZE];
    private int start;
    private int at;
    private int end;
    /** Reading again makes no sense before this many bytes are there. */
    private int needed;
    /** How many more bytes are to be skipped. */
    private long passing;

    /** Creates a reader of requested answers. */
    RespReader() {
        this(Long.MAX_VALUE);
    }

    /**
     * Creates a reader of messages from unknown senders. A message with a larger text, which must be its last part, is
     * skipped as it arrives, and is returned as {@link Large}.
     *
     * @param passedOver the largest text that is read
     */
    RespReader(long passedOver) {
        this.passedOver = passedOver;
    }

    /** Takes bytes from a wire; returns false if none arrived in time. */
    boolean fill(Wire wire, long nanos) throws IOException {
        makeRoom();
        int count = wire.receive(bytes, end, bytes.length - end, nanos);
        end += count;
        if (passing > 0) {
            int passed = (int) Math.min(passing, end - start);
            passing -= passed;
            start += passed;
        }
        return count > 0;
    }

    private void makeRoom() throws IOException {
        if (start == end) {
            start = 0;
            end = 0;
            needed = 0;
        }
        if (end < bytes.length && needed <= bytes.length) {
            return;
        }
        int kept = end - start;
        int size = bytes.length;
        while (size - kept < START_SIZE / 2 || size < needed - start) {
            size *= 2;
        }
        if (size > LARGEST) {
            throw new IOException("an answer is larger than any that a lock has");
        }
        byte[] larger = size == bytes.length ? bytes : new byte[size];
        System.arraycopy(bytes, start, larger, 0, kept);
        bytes = larger;
        needed = Math.max(0, needed - start);
        start = 0;
        end = kept;
    }

    /** Returns the next complete answer, or null if more bytes are needed. */
    @Nullable
    Object next() throws IOException {
        if (start == end || end < needed) {
            return null;
        }
        at = start;
        try {
            Object answer = value(0);
            start = at;
            needed = 0;
            return answer;
        } catch (Incomplete moreNeeded) {
            return null;
        } catch (Oversized large) {
            int there = (int) Math.min(large.bytes, end - at);
            start = at + there;
            passing = large.bytes - there;
            needed = 0;
            return Large.LARGE;
        }
    }

    private Object value(int depth) throws Incomplete, Oversized, IOException {
        if (depth > DEEPEST) {
            throw new IOException("an answer is nested deeper than any that a lock has");
        }
        if (at >= end) {
            throw new Incomplete();
        }
        byte type = bytes[at++];
        return switch (type) {
            case ':' -> number();
            case '$', '=' -> bulk();
            case '*', '>', '~' -> list(1, depth);
            case '%' -> list(2, depth);
            case '+', ',', '(' -> line();
            case '-' -> new RespError(line());
            case '!' -> new RespError(text(bulk()));
            case '_' -> nil();
            case '#' -> line().equals("t") ? 1L : 0L;
            default ->
                throw new IOException("not an answer of Redis: it begins with byte " + type
                        + "; is this the port of another service, or of TLS?");
        };
    }

    private Nil nil() throws Incomplete {
        line();
        return Nil.NIL;
    }

    private long number() throws Incomplete, IOException {
        boolean negative = at < end && bytes[at] == '-';
        if (negative) {
            at++;
        }
        long number = 0;
        while (at < end && bytes[at] != '\r') {
            int digit = bytes[at++] - '0';
            if (digit < 0 || digit > 9) {
                throw new IOException("not an answer of Redis: a number has a digit " + digit);
            }
            number = number * 10 + digit;
        }
        skipNewLine();
        return negative ? -number : number;
    }

    private String line() throws Incomplete {
        int from = at;
        while (at < end && bytes[at] != '\r') {
            at++;
        }
        String line = new String(bytes, from, at - from, StandardCharsets.UTF_8);
        skipNewLine();
        return line;
    }

    private Object bulk() throws Incomplete, Oversized, IOException {
        long length = number();
        if (length < 0) {
            return Nil.NIL;
        }
        if (length > passedOver) {
            throw new Oversized(length + 2);
        }
        if (length > LARGEST) {
            throw new IOException("not an answer of Redis: a text of " + length + " bytes");
        }
        int from = at;
        if (end - from < length + 2) {
            needed = from + (int) length + 2;
            throw new Incomplete();
        }
        at += (int) length + 2;
        return Arrays.copyOfRange(bytes, from, from + (int) length);
    }

    /** Returns the text in an answer, or in a part of one. */
    static String text(Object answer) {
        return answer instanceof byte[] raw ? new String(raw, StandardCharsets.UTF_8) : String.valueOf(answer);
    }

    private Object list(int each, int depth) throws Incomplete, Oversized, IOException {
        long length = number() * each;
        if (length < 0) {
            return Nil.NIL;
        }
        if (length > LARGEST) {
            throw new IOException("not an answer of Redis: a list of " + length + " entries");
        }
        List<Object> list = new ArrayList<>((int) Math.min(length, end - at));
        for (long i = 0; i < length; i++) {
            list.add(value(depth + 1));
        }
        return list;
    }

    private void skipNewLine() throws Incomplete {
        if (end - at < 2) {
            throw new Incomplete();
        }
        at += 2;
    }
}
