package dev.baton.jdbc;

import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** SQL text as JDBC wants it, and which parameter each of its question marks stands for. */
final class Query {
    private static final Pattern PARAMETER = Pattern.compile("(?<![:\\w]):([a-z_]+)");

    private final String text;
    private final List<Param> order;

    private Query(String text, List<Param> order) {
        this.text = text;
        this.order = order;
    }

    /** Reads text with {@code :parameters}. */
    static Query of(String named) {
        List<Param> order = new ArrayList<>();
        Matcher matcher = PARAMETER.matcher(named);
        String text = matcher.replaceAll(match -> {
            order.add(Param.named(match.group(1)));
            return "?";
        });
        return new Query(text, List.copyOf(order));
    }

    String text() {
        return text;
    }

    List<Param> order() {
        return order;
    }
}
