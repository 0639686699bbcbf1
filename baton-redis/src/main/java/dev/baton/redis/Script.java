package dev.baton.redis;

import dev.baton.spi.Note;
import dev.baton.spi.Protocol;
import dev.baton.spi.ResourceView.Hold;
import dev.baton.spi.Timings;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;
import java.util.Locale;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** One Lua script, with constants filled in; the same for all namespaces of one kind of servers that have the same times. */
final class Script {
    /** The scripts, one for each command; their texts are resource files of the same names. */
    enum Name {
        /** Acquires holds, releases them, and hands them over. */
        TURNS,
        /** Undoes an attempt. */
        CANCEL,
        /** Keeps holds and tickets alive. */
        HEARTBEAT,
        /** Takes a hold away. */
        FORCE,
        /** Withholds permits of a semaphore. */
        WITHHOLD,
        /** Inspects names. */
        INSPECT,
        /** Reads and writes notes. */
        NOTES,
        /** Finds out which rights this user lacks. */
        RIGHTS,
        /** Agrees on the namespace. */
        HELLO,
        /** Makes a bucket, and finds out whether it was forgotten. */
        FOUND
    }

    /** What a bucket tells operators; longer than what the server keeps in a list. */
    private static final String ABOUT =
            "Baton: h is the largest fencing token granted here, other fields are marks of clients";

    private static final Pattern INCLUDE = Pattern.compile("(?m)^-- include (\\w+\\.lua)$");

    private final String text;
    private final String sha;

    private Script(String text) {
        this.text = text;
        this.sha = sha1(text);
    }

    static Script of(Name name, Timings timings, GraceMode grace, boolean sharded) {
        String text = read(name.name().toLowerCase(Locale.ROOT) + ".lua")
                .replace("@FORGETTING@", grace.text())
                .replace("@SHARDED@", Boolean.toString(sharded))
                .replace("@CHANNEL@", sharded ? "{%1}:push:" : "{0}:push:")
                .replace("@PUBLISH@", sharded ? "SPUBLISH" : "PUBLISH")
                .replace("@ABOUT@", ABOUT)
                .replace("@TOKEN_EPOCH@", Long.toString(Protocol.TOKEN_EPOCH_MICROS))
                .replace("@MOST_TOKEN@", Long.toString(Protocol.MAX_STORE_TOKEN))
                .replace("@MARK@", Long.toString(Protocol.MARK_MICROS))
                .replace("@MOST_NOTE@", Integer.toString(Note.MAX_BYTES))
                .replace("@SEMAPHORE@", Long.toString(Stored.SEMAPHORE))
                .replace("@FAR@", Long.toString(Hold.withheld(1).deadlineMicros()))
                .replace("@CLAIM@", Long.toString(timings.claimMicros()))
                .replace("@PRESENCE@", Long.toString(timings.presenceMicros()))
                .replace(
                        "@QUEUE_MILLIS@", Long.toString((timings.presenceMicros() + timings.graceMicros()) / 1_000 + 1))
                .replace("@GRACE@", Long.toString(timings.graceMicros()));
        return new Script(text);
    }

    String text() {
        return text;
    }

    String sha() {
        return sha;
    }

    static String read(String file) {
        try (InputStream in = Script.class.getResourceAsStream(file)) {
            if (in == null) {
                throw new IllegalStateException("the script " + file + " is missing from the jar");
            }
            String text = new String(in.readAllBytes(), StandardCharsets.UTF_8);
            return INCLUDE.matcher(text).replaceAll(found -> Matcher.quoteReplacement(read(found.group(1))));
        } catch (IOException e) {
            throw new UncheckedIOException("cannot read the script " + file, e);
        }
    }

    private static String sha1(String text) {
        try {
            byte[] bytes = text.getBytes(StandardCharsets.UTF_8);
            return HexFormat.of().formatHex(MessageDigest.getInstance("SHA-1").digest(bytes));
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException("every JDK has SHA-1", e);
        }
    }
}
