package dev.baton.jdbc;

import dev.baton.spi.StoreFailure;
import dev.baton.spi.StoreFailure.Reason;
import java.sql.SQLException;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * All that differs between databases: text, read from resources. A new database is a new file, not a new class.
 *
 * @param store the store's name for people
 * @param driver what to add to the class path
 * @param connect statements for every new connection of Baton's own
 * @param schema statements that make the tables, harmless where they are
 * @param waitLimit how a connection is told how long to wait for others; empty where it need not be told
 * @param answersByKey whether statements that change answer with one number, as a generated key
 * @param busyCodes errors after which nothing was executed and the same may be tried again
 * @param lockedCodes those of them that say that a transaction of others kept a row locked for longer than the lock
 *     time-out
 * @param missingCodes errors that say that a table is not there
 * @param refusals errors after which nothing was executed, with what people have to change
 * @param facts what to ask a database about itself
 * @param warnings statements that each answer null, or what is unwise about a database, what may happen, what to change
 * @param queries the statements, by their sections
 */
record Dialect(
        String store,
        String driver,
        List<String> connect,
        List<String> schema,
        String waitLimit,
        boolean answersByKey,
        Set<String> busyCodes,
        Set<String> lockedCodes,
        Set<String> missingCodes,
        Map<String, Refusal> refusals,
        List<Fact> facts,
        List<String> warnings,
        Map<Sql, Query> queries) {

    /** The prefix of the tables in all texts. */
    private static final Pattern NAME = Pattern.compile("(INDEX IF NOT EXISTS )?baton_");

    /** What an error means: why the store gives no answer, and what people have to change. */
    record Refusal(Reason reason, String advice) {}

    /** Something worth to know about a database, and the statement that answers it. */
    record Fact(String label, String statement) {}

    /**
     * Reads a dialect.
     *
     * @param store the store's name for people
     * @param tables prefix of the tables' names, with their schema if it is not the connection's own
     * @param schema name of the resource that makes the tables
     * @param resources its texts; a section of a later one wins
     */
    static Dialect read(String store, String tables, String schema, List<String> resources) {
        Sections sections = Sections.read(resources, text -> prefixed(text, tables));
        return new Dialect(
                store,
                sections.text("driver"),
                sections.text("connect").lines().toList(),
                statements(prefixed(Sections.withoutComments(Sections.resource(schema)), tables)),
                sections.textOr("wait limit", ""),
                !sections.textOr("answers", "").isEmpty(),
                words(sections.text("busy codes")),
                words(sections.textOr("locked codes", "none")),
                words(sections.text("missing codes")),
                refusals(sections),
                facts(sections),
                sections.textOr("warnings", "").lines().toList(),
                queries(sections));
    }

    /** The tables get the prefix with its schema, indexes without: they are where their table is. */
    private static String prefixed(String text, String tables) {
        String bare = tables.substring(tables.lastIndexOf('.') + 1);
        return NAME.matcher(text)
                .replaceAll(name -> name.group(1) == null ? tables : Matcher.quoteReplacement(name.group(1) + bare));
    }

    /** The statement for something that every dialect has. */
    Query query(Sql sql) {
        Query query = queries.get(sql);
        if (query == null) {
            throw new IllegalStateException("no SQL for " + sql);
        }
        return query;
    }

    /** Whether the dialect has a statement that not all have. */
    boolean has(Sql sql) {
        return queries.containsKey(sql);
    }

    boolean isBusy(SQLException e) {
        return contains(busyCodes, e);
    }

    boolean isLocked(SQLException e) {
        return contains(lockedCodes, e);
    }

    /** Whether a call failed because a transaction of others kept a row locked; nothing was executed then. */
    boolean isLocked(StoreFailure failure) {
        return failure.effect() == StoreFailure.Effect.NONE
                && failure.getCause() instanceof SQLException said
                && isLocked(said);
    }

    boolean isMissingTable(SQLException e) {
        return contains(missingCodes, e);
    }

    /** What an error means; by the state that is standard, or the code that is the database's own. */
    Refusal refusalOf(SQLException e) {
        Refusal refusal = refusals.get(e.getSQLState() == null ? "" : e.getSQLState());
        return refusal != null
                ? refusal
                : refusals.getOrDefault(Integer.toString(e.getErrorCode()), new Refusal(Reason.OTHER, ""));
    }

    private static boolean contains(Set<String> codes, SQLException e) {
        return codes.contains(Integer.toString(e.getErrorCode()))
                || (e.getSQLState() != null && codes.contains(e.getSQLState()));
    }

    private static Map<Sql, Query> queries(Sections sections) {
        Map<Sql, Query> queries = new EnumMap<>(Sql.class);
        String bytes = sections.textOr("bytes", Query.PLAIN);
        for (Sql sql : Sql.values()) {
            String text = sql.isOptional() ? sections.textOr(sql.section(), "") : sections.text(sql.section());
            if (!text.isEmpty()) {
                queries.put(sql, Query.of(text, bytes));
            }
        }
        return queries;
    }

    private static List<String> statements(String text) {
        return Stream.of(text.split(";", -1))
                .map(String::strip)
                .filter(statement -> !statement.isEmpty())
                .toList();
    }

    private static Set<String> words(String text) {
        return Set.of(text.split("\\s+", -1));
    }

    private static Map<String, Refusal> refusals(Sections sections) {
        return sections.text("refusals")
                .lines()
                .map(line -> line.split(" ", 3))
                .collect(Collectors.toUnmodifiableMap(
                        parts -> parts[0], parts -> new Refusal(Reason.valueOf(parts[1]), parts[2])));
    }

    private static List<Fact> facts(Sections sections) {
        return sections.text("facts")
                .lines()
                .map(line -> line.split(": ", 2))
                .map(parts -> new Fact(parts[0], parts[1]))
                .toList();
    }
}
