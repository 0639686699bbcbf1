package dev.baton.jdbc;

import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.HashMap;
import java.util.Map;

/** The statements that are prepared on a session's connection. For one thread at a time. */
final class Statements {
    /** A statement for a length of its lists. */
    private record Prepared(PreparedStatement statement, Query.Sized query) {}

    private record Key(Sql sql, int length) {}

    private final Map<Key, Prepared> prepared = new HashMap<>();
    private final Dialect dialect;

    Statements(Dialect dialect) {
        this.dialect = dialect;
    }

    /** The statement for something, prepared if it is not yet, with its values. */
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

    /** The connection is gone, and they are with it. */
    void forget() {
        prepared.clear();
    }
}
