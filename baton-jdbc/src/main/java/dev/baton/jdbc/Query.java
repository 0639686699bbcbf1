package dev.baton.jdbc;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

/**
 * SQL text with {@code :parameters}, as JDBC wants it. A parameter in parentheses of its own, {@code (:names)}, takes a
 * list; text in braces, <code>{each :names …}</code>, is repeated for each element of its lists. Lists are padded to a few
 * lengths, so that few statements are prepared.
 */
final class Query {
    /** The longest list. */
    static final int LONGEST = 256;

    /** Stands for a parameter. */
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
     * Text for a list length.
     *
     * @param order what each of its question marks stands for
     * @param hex whether it wants bytes as hexadecimal digits
     */
    record Sized(String text, List<Place> order, boolean hex) {}

    /**
     * A question mark.
     *
     * @param param what it stands for
     * @param at which element of the parameter's list
     */
    record Place(Param param, int at) {}

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

    /** The text with what stands for each element as often as there are some, and the element's number in it. */
    private String repeated(int length) {
        return EACH.matcher(named)
                .replaceAll(match -> IntStream.range(0, length)
                        .mapToObj(at -> PARAMETER.matcher(match.group(1)).replaceAll(":$1#" + at))
                        .collect(Collectors.joining(" ")));
    }
}
