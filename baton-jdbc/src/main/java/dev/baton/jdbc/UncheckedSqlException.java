package dev.baton.jdbc;

import java.sql.SQLException;

/** Carries a database's error through code that knows nothing of databases. */
final class UncheckedSqlException extends RuntimeException {
    private static final long serialVersionUID = 1L;

    /** The database's error. */
    private final SQLException said;

    UncheckedSqlException(SQLException said) {
        super(said);
        this.said = said;
    }

    SQLException said() {
        return said;
    }
}
