package dev.baton.jdbc;

import dev.baton.spi.Capabilities;
import dev.baton.spi.StoreFailure.Reason;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.EnumMap;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * All that differs between databases: text, read from a resource. A new database is a new file, not a new class.
 *
 * @param capabilities what its stores can do
 * @param driver what to add to the class path
 * @param connect statements for every new connection
 * @param schema statements that make the tables, harmless where they are
 * @param waitLimit how a connection is told how long to wait for others
 * @param busyCodes errors after which nothing was executed and the same may be tried again
 * @param refusals errors after which nothing was executed, with what people have to change
 * @param facts what to ask a database about itself
 * @param queries the statements
 */
record Dialect(
        Capabilities capabilities,
        String driver,
        List<String> connect,
        List<String> schema,
        String waitLimit,
        Set<Integer> busyCodes,
        Map<Integer, Refusal> refusals,
        List<Fact> facts,
        Map<Sql, Query> queries) {

    private static final String SECTION = "--@ ";

    /** What an error means: why the store gives no answer, and what people have to change. */
    record Refusal(Reason reason, String advice) {}

    /** Something worth to know about a database, and the statement that answers it. */
    record Fact(String label, String statement) {}

    /** Reads a dialect's file. */
    static Dialect read(String resource) {
        Map<String, String> sections = sections(text(resource));
        return new Dialect(
                capabilities(sections),
                section(sections, "driver"),
                section(sections, "connect").lines().toList(),
                statements(section(sections, "schema")),
                section(sections, "wait limit"),
                codes(section(sections, "busy codes")),
                refusals(section(sections, "refusals")),
                facts(section(sections, "facts")),
                queries(sections));
    }

    Query query(Sql sql) {
        Query query = queries.get(sql);
        if (query == null) {
            throw new IllegalStateException("no SQL for " + sql);
        }
        return query;
    }

    private static Capabilities capabilities(Map<String, String> sections) {
        return new Capabilities(
                section(sections, "store"),
                Capabilities.Reach.valueOf(section(sections, "reach")),
                true,
                Boolean.parseBoolean(section(sections, "push")),
                true,
                false,
                false,
                Capabilities.TokenOrder.HYBRID,
                Duration.ofMillis(Long.parseLong(section(sections, "shortest lease millis"))));
    }

    private static Map<Sql, Query> queries(Map<String, String> sections) {
        Map<Sql, Query> queries = new EnumMap<>(Sql.class);
        for (Sql sql : Sql.values()) {
            queries.put(sql, Query.of(expand(section(sections, sql.section()), sections)));
        }
        return queries;
    }

    private static String expand(String text, Map<String, String> sections) {
        String expanded = text;
        for (Map.Entry<String, String> each : sections.entrySet()) {
            if (each.getKey().startsWith("define ")) {
                String name = each.getKey().substring("define ".length());
                expanded = expanded.replace("{" + name + "}", each.getValue());
            }
        }
        return expanded;
    }

    private static List<String> statements(String text) {
        return Stream.of(text.split(";", -1))
                .map(String::strip)
                .filter(statement -> !statement.isEmpty())
                .toList();
    }

    private static Set<Integer> codes(String text) {
        return Stream.of(text.split("\\s+", -1)).map(Integer::valueOf).collect(Collectors.toUnmodifiableSet());
    }

    private static Map<Integer, Refusal> refusals(String text) {
        return text.lines()
                .map(line -> line.split(" ", 3))
                .collect(Collectors.toUnmodifiableMap(
                        parts -> Integer.valueOf(parts[0]), parts -> new Refusal(Reason.valueOf(parts[1]), parts[2])));
    }

    private static List<Fact> facts(String text) {
        return text.lines()
                .map(line -> line.split(": ", 2))
                .map(parts -> new Fact(parts[0], parts[1]))
                .toList();
    }

    private static Map<String, String> sections(String text) {
        Map<String, StringBuilder> sections = new HashMap<>();
        StringBuilder current = new StringBuilder();
        for (String line : text.split("\n", -1)) {
            if (line.startsWith(SECTION)) {
                current = sections.computeIfAbsent(
                        line.substring(SECTION.length()).strip(), name -> new StringBuilder());
            } else if (!line.startsWith("--")) {
                current.append(line).append('\n');
            }
        }
        return sections.entrySet().stream()
                .collect(Collectors.toUnmodifiableMap(
                        Map.Entry::getKey, each -> each.getValue().toString().strip()));
    }

    private static String section(Map<String, String> sections, String name) {
        String text = sections.get(name);
        if (text == null) {
            throw new IllegalStateException("the dialect has no section \"" + name + "\"");
        }
        return text;
    }

    private static String text(String resource) {
        try (InputStream in = Dialect.class.getResourceAsStream(resource)) {
            if (in == null) {
                throw new IllegalStateException("missing resource " + resource);
            }
            return new String(in.readAllBytes(), StandardCharsets.UTF_8);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
