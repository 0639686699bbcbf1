package dev.baton.jdbc;

import dev.baton.servers.PgBouncer;
import dev.baton.servers.PostgresServer;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.sql.Statement;

/** A PgBouncer that all tests of this JVM share, before a PostgreSQL whose sessions do not wait forever for rows. */
final class SharedBouncer {
    private static final PgBouncer BOUNCER = start();

    private SharedBouncer() {}

    private static PgBouncer start() {
        PostgresServer server = PostgresServer.shared();
        try (Connection connection = DriverManager.getConnection(server.uri());
                Statement statement = connection.createStatement()) {
            statement.execute("ALTER ROLE CURRENT_USER SET lock_timeout = '500ms'");
        } catch (SQLException e) {
            throw new IllegalStateException(e);
        }
        return PgBouncer.start(server, "max_client_conn = 1000");
    }

    static ServerFixture fixture() throws SQLException {
        return new ServerFixture(BOUNCER.uri(), false);
    }
}
