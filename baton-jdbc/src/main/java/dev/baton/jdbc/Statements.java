package dev.baton.jdbc;

import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** The prepared statements of a session's connection. For one thread at a time. */
final class Statements {
    /** A statement for one length of its lists. */
    private record Prepared(PreparedStatement statement, Query.Sized query) {}

    private record Key(Sql sql, int length) {}

    private final Map<Key, Prepared> prepared = new HashMap<>();
    private final Dialect dialect;

    Statements(Dialect dialect) {
        this.dialect = dialect;
    }

    /** Returns a statement with its values bound; prepares it on first use. */
    PreparedStatement bound(Connection connection, Sql sql, Values values) throws SQLException {
        Query query = dialect.query(sql);
        int length = query.padded(values.longest());
        Key key = new Key(sql, length);
        Prepared found = prepared.get(key);
        if (found == null) {
            Query.Sized sized = query.sized(length);
            found = new Prepared(prepare(connection, sized.text()), sized);
            prepared.put(key, found);
        }
        values.bind(found.statement(), found.query());
        return found.statement();
    }

    private PreparedStatement prepare(Connection connection, String text) throws SQLException {
        return dialect.answersByKey()
                ? connection.prepareStatement(text, Statement.RETURN_GENERATED_KEYS)
                : connection.prepareStatement(text);
    }

    /** Forgets all statements, because they ended with their connection. */
    void forget() {
        prepared.clear();
    }

    /** Returns one number for all changed rows; 0 if no row was changed. */
    static List<long[]> byKey(PreparedStatement statement) throws SQLException {
        int changed = statement.executeUpdate();
        try (ResultSet keys = statement.getGeneratedKeys()) {
            long key = keys.next() ? keys.getLong(1) : 0;
            return key == 0 ? List.of() : Collections.nCopies(changed, new long[] {key});
        }
    }

    /** Returns the numbers of a row. */
    static long[] numbers(ResultSet rows, int columns) throws SQLException {
        long[] numbers = new long[columns];
        for (int i = 0; i < columns; i++) {
            numbers[i] = rows.getLong(i + 1);
        }
        return numbers;
    }
}
