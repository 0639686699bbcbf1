package dev.baton.jdbc;

import java.sql.SQLException;

/** Carries what a database said through code that knows nothing of databases. */
final class UncheckedSqlException extends RuntimeException {
    private static final long serialVersionUID = 1L;

    /** What the database said. */
    private final SQLException said;

    UncheckedSqlException(SQLException said) {
        super(said);
        this.said = said;
    }

    SQLException said() {
        return said;
    }
}
