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
 * Everything that differs between databases: text, read from resources. A new database is a new file, not a new class.
 *
 * @param store the store's name in messages
 * @param driver the artifact to add to the class path
 * @param connect statements for every new connection of Baton's own
 * @param schema statements that create the tables; they do nothing if the tables exist
 * @param waitLimit the statement that limits how long a connection waits for others; empty if none is needed
 * @param answersByKey whether statements that change rows answer with one number, as a generated key
 * @param busyCodes errors after which nothing was executed and the call may be retried
 * @param lockedCodes those busy codes that mean that another transaction kept a row locked past the lock time-out
 * @param missingCodes errors that mean that a table does not exist
 * @param refusals errors after which nothing was executed, with the advice for the operator
 * @param facts the questions to ask a database about itself
 * @param warnings statements that each answer null, or a risky setting, its consequence and the remedy
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

    /** Matches the prefix of the tables in all texts. */
    private static final Pattern NAME = Pattern.compile("(INDEX IF NOT EXISTS )?baton_");

    /** The meaning of an error: why the store gives no answer, and what the operator has to change. */
    record Refusal(Reason reason, String advice) {}

    /** A useful fact about a database, and the statement that returns it. */
    record Fact(String label, String statement) {}

    /**
     * Reads a dialect.
     *
     * @param store the store's name in messages
     * @param tables prefix of the tables' names, with their schema unless it is the connection's own
     * @param schema name of the resource that creates the tables
     * @param resources the dialect's texts; a section of a later one wins
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

    /** Inserts the prefix: with its schema for tables, without it for indexes, which live beside their table. */
    private static String prefixed(String text, String tables) {
        String bare = tables.substring(tables.lastIndexOf('.') + 1);
        return NAME.matcher(text)
                .replaceAll(name -> name.group(1) == null ? tables : Matcher.quoteReplacement(name.group(1) + bare));
    }

    /** Returns a statement that every dialect has. */
    Query query(Sql sql) {
        Query query = queries.get(sql);
        if (query == null) {
            throw new IllegalStateException("no SQL for " + sql);
        }
        return query;
    }

    /** Returns whether the dialect has a statement that is optional. */
    boolean has(Sql sql) {
        return queries.containsKey(sql);
    }

    boolean isBusy(SQLException e) {
        return contains(busyCodes, e);
    }

    boolean isLocked(SQLException e) {
        return contains(lockedCodes, e);
    }

    /** Returns whether a call failed because another transaction kept a row locked; nothing was executed then. */
    boolean isLocked(StoreFailure failure) {
        return failure.effect() == StoreFailure.Effect.NONE
                && failure.getCause() instanceof SQLException said
                && isLocked(said);
    }

    boolean isMissingTable(SQLException e) {
        return contains(missingCodes, e);
    }

    /** Returns the meaning of an error, by its standard SQLSTATE or by the database's own code. */
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
