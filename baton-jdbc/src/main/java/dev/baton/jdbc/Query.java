package dev.baton.jdbc;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

/**
 * SQL text with {@code :parameters}, translated for JDBC. A parameter in parentheses of its own, {@code (:names)},
 * takes a list; text in braces, <code>{each :names …}</code>, is repeated for each element of its lists. Lists are
 * padded to a few lengths, so that few statements are prepared.
 */
final class Query {
    /** The length of the longest list. */
    static final int LONGEST = 256;

    /** The placeholder of a parameter. */
    static final String PLAIN = "?";

    private static final int STEP = 4;
    private static final Pattern PARAMETER = Pattern.compile("(?<![:\\w]):([a-z_]+)(#\\d+)?");
    private static final Pattern EACH = Pattern.compile("\\{each ([^}]*)}");

    private final String named;
    private final String bytes;
    private final boolean takesLists;

    private Query(String named, String bytes) {
        this.named = named;
        this.bytes = bytes;
        this.takesLists = named.contains("(:");
    }

    /**
     * The text for one list length.
     *
     * @param order the parameter of each question mark
     * @param hex whether bytes are passed as hexadecimal digits
     */
    record Sized(String text, List<Place> order, boolean hex) {}

    /**
     * One question mark.
     *
     * @param param the parameter that it stands for
     * @param at the index of the element in the parameter's list
     */
    record Place(Param param, int at) {}

    /**
     * Creates a query from its text.
     *
     * @param bytes the placeholder for a parameter of bytes: a question mark, or a function that makes bytes from
     *     digits
     */
    static Query of(String named, String bytes) {
        return new Query(named, bytes);
    }

    /** Returns the length that a list of a size is padded to. */
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
        List<Place> order = new ArrayList<>();
        Matcher matcher = PARAMETER.matcher(repeated(length));
        String text = matcher.replaceAll(match -> {
            Param param = Param.named(match.group(1));
            int first =
                    match.group(2) == null ? 0 : Integer.parseInt(match.group(2).substring(1));
            int times = param.isList() && match.group(2) == null ? length : 1;
            for (int at = first; at < first + times; at++) {
                order.add(new Place(param, at));
            }
            return String.join(", ", Collections.nCopies(times, param.isBytes() ? bytes : PLAIN));
        });
        return new Sized(text, List.copyOf(order), !bytes.equals(PLAIN));
    }

    /** Repeats the text in braces for each element, and puts the element's index into it. */
    private String repeated(int length) {
        return EACH.matcher(named)
                .replaceAll(match -> IntStream.range(0, length)
                        .mapToObj(at -> PARAMETER.matcher(match.group(1)).replaceAll(":$1#" + at))
                        .collect(Collectors.joining(" ")));
    }
}
