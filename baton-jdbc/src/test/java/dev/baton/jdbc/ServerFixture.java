package dev.baton.jdbc;

import dev.baton.servers.MysqlServer;
import dev.baton.spi.Capabilities;
import dev.baton.spi.Store;
import dev.baton.spi.StoreConfig;
import dev.baton.spi.StoreFailure;
import dev.baton.spi.StoreProvider;
import dev.baton.tck.StoreFixture;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.List;
import java.util.function.LongSupplier;

/** A database of a server, with Baton's tables emptied. */
final class ServerFixture implements StoreFixture {
    private static final List<String> TABLES = List.of(
            "baton_descriptor",
            "baton_bucket",
            "baton_lease",
            "baton_ticket",
            "baton_cancelled",
            "baton_fence",
            "baton_note",
            "baton_epoch");

    private final String uri;
    private final boolean pushes;

    ServerFixture(String uri) throws SQLException {
        this(uri, true);
    }

    /** Creates a database whose grants are received, or not, if the database can push. */
    ServerFixture(String uri, boolean pushes) throws SQLException {
        this.uri = uri;
        this.pushes = pushes;
        try (Connection connection = DriverManager.getConnection(uri)) {
            for (String table : TABLES) {
                empty(connection, table);
            }
        }
    }

    /**
     * Returns a MySQL: an empty database that {@code -Dbaton.mysql.uri=jdbc:mysql://HOST/DATABASE?user=…} names, which
     * all tests share ({@code -Dbaton.forks=1}); else one of this JVM's own, see {@link MysqlServer}.
     */
    static ServerFixture mysql() throws SQLException {
        String named = System.getProperty("baton.mysql.uri");
        return new ServerFixture(named == null ? MysqlServer.shared().uri() : named);
    }

    private static void empty(Connection connection, String table) throws SQLException {
        try (Statement statement = connection.createStatement()) {
            statement.executeUpdate("DELETE FROM " + table);
        } catch (SQLException e) {
            // The first client creates it.
        }
    }

    @Override
    public StoreProvider provider() {
        return new JdbcStoreProvider();
    }

    @Override
    public Store open(StoreConfig config, LongSupplier clock) throws StoreFailure {
        return JdbcStoreProvider.open(config, clock);
    }

    @Override
    public String uri() {
        return uri;
    }

    @Override
    public Capabilities capabilities() {
        return pushes ? StoreFixture.super.capabilities() : Databases.POSTGRESQL.capabilities(false);
    }

    @Override
    public long residue() throws SQLException {
        return number("SELECT (SELECT count(*) FROM baton_lease) + (SELECT count(*) FROM baton_ticket)"
                + " + (SELECT count(*) FROM baton_cancelled)");
    }

    /** Runs a query outside Baton. */
    long number(String sql) throws SQLException {
        try (Connection connection = DriverManager.getConnection(uri);
                Statement statement = connection.createStatement();
                ResultSet rows = statement.executeQuery(sql)) {
            return rows.next() ? rows.getLong(1) : 0;
        }
    }

    @Override
    public void close() {
        // The server is shared.
    }
}
