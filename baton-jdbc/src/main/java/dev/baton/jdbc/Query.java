package dev.baton.jdbc;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * SQL text with {@code :parameters}, as JDBC wants it. A parameter in parentheses of its own, {@code (:names)}, takes a
 * list; lists are padded to a few lengths, so that few statements are prepared.
 */
final class Query {
    /** The longest list. */
    static final int LONGEST = 256;

    /** Stands for a parameter. */
    static final String PLAIN = "?";

    private static final int STEP = 4;
    private static final Pattern PARAMETER = Pattern.compile("(?<![:\\w]):([a-z_]+)");

    private final String named;
    private final String bytes;
    private final boolean takesLists;

    private Query(String named, String bytes) {
        this.named = named;
        this.bytes = bytes;
        this.takesLists = named.contains("(:");
    }

    /**
     * Text for a list length.
     *
     * @param order which parameter each of its question marks stands for
     * @param hex whether it wants bytes as hexadecimal digits
     */
    record Sized(String text, List<Param> order, boolean hex) {}

    /**
     * Reads text.
     *
     * @param bytes what stands for a parameter of bytes: a question mark, or a function that makes bytes of digits
     */
    static Query of(String named, String bytes) {
        return new Query(named, bytes);
    }

    /** The length that a list of a size is padded to. */
    int padded(int size) {
        int length = 1;
        while (takesLists && length < size) {
            length *= STEP;
        }
        if (length > LONGEST) {
            throw new IllegalArgumentException("a list of " + size + " is longer than " + LONGEST);
        }
        return length;
    }

    Sized sized(int length) {
        List<Param> order = new ArrayList<>();
        Matcher matcher = PARAMETER.matcher(named);
        String text = matcher.replaceAll(match -> {
            Param param = Param.named(match.group(1));
            int times = param.isList() ? length : 1;
            order.addAll(Collections.nCopies(times, param));
            return String.join(", ", Collections.nCopies(times, param.isBytes() ? bytes : PLAIN));
        });
        return new Sized(text, List.copyOf(order), !bytes.equals(PLAIN));
    }
}
