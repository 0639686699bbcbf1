package dev.baton.jdbc;

import static org.assertj.core.api.Assertions.assertThat;

import dev.baton.servers.MariaServer;
import dev.baton.servers.PostgresServer;
import java.lang.reflect.Proxy;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import javax.sql.DataSource;

/**
 * How an application's pool sets up its connections.
 *
 * @param database which database
 * @param charset the session's character set
 * @param zone the session's time zone
 * @param isolation the session's isolation level
 */
record SessionSettings(Kind database, String charset, String zone, String isolation) {
    private static final String H2 = H2Server.newUri();
    private static final List<String> ISOLATIONS =
            List.of("READ UNCOMMITTED", "READ COMMITTED", "REPEATABLE READ", "SERIALIZABLE");

    /** A database, and the settings in which its sessions can differ. */
    enum Kind {
        POSTGRESQL(List.of("UTF8", "LATIN1", "WIN1251", "SJIS"), List.of("UTC", "Asia/Kathmandu", "America/New_York")),
        /** UTF-8 by MariaDB's driver, which supports nothing else; the others by Connector/J. */
        MARIADB(List.of("utf8mb4", "latin1", "gbk", "sjis"), List.of("+00:00", "+05:45", "-11:00")),
        H2(List.of("none"), List.of("UTC", "Asia/Kathmandu", "America/New_York"));

        final List<String> charsets;
        final List<String> zones;

        Kind(List<String> charsets, List<String> zones) {
            this.charsets = charsets;
            this.zones = zones;
        }
    }

    /** Returns the address of the server, for the driver that supports the character set. */
    String uri() {
        return switch (database) {
            case POSTGRESQL -> PostgresServer.shared().uri() + "&allowEncodingChanges=true";
            case MARIADB -> {
                String uri = MariaServer.shared().uri();
                String java = charset.equals("latin1") ? "ISO-8859-1" : charset;
                yield charset.equals("utf8mb4")
                        ? uri
                        : uri.replace("jdbc:mariadb:", "jdbc:mysql:") + "&sslMode=DISABLED&characterEncoding=" + java;
            }
            case H2 -> H2;
        };
    }

    /** Returns every combination. */
    static List<SessionSettings> all(Kind database) {
        List<SessionSettings> all = new ArrayList<>();
        for (String charset : database.charsets) {
            for (String zone : database.zones) {
                for (String isolation : ISOLATIONS) {
                    all.add(new SessionSettings(database, charset, zone, isolation));
                }
            }
        }
        return all;
    }

    /** Returns a source of connections with these settings. */
    DataSource source() {
        return (DataSource) Proxy.newProxyInstance(
                SessionSettings.class.getClassLoader(),
                new Class<?>[] {DataSource.class},
                (self, method, arguments) -> switch (method.getName()) {
                    case "getConnection" -> connect();
                    case "getLoginTimeout" -> 0;
                    default -> null;
                });
    }

    private Connection connect() throws SQLException {
        Connection connection = DriverManager.getConnection(uri());
        try (Statement statement = connection.createStatement()) {
            for (String each : setUp()) {
                statement.execute(each);
            }
        }
        return connection;
    }

    private List<String> setUp() {
        return switch (database) {
            case POSTGRESQL ->
                List.of(
                        "SET client_encoding = '" + charset + "'",
                        "SET TIME ZONE '" + zone + "'",
                        "SET SESSION CHARACTERISTICS AS TRANSACTION ISOLATION LEVEL " + isolation);
            case MARIADB ->
                List.of("SET time_zone = '" + zone + "'", "SET SESSION TRANSACTION ISOLATION LEVEL " + isolation);
            case H2 ->
                List.of(
                        "SET TIME ZONE '" + zone + "'",
                        "SET SESSION CHARACTERISTICS AS TRANSACTION ISOLATION LEVEL " + isolation);
        };
    }

    /** Verifies on the server itself that a session has these settings. */
    void verify(Connection connection) throws SQLException {
        String question = switch (database) {
            case POSTGRESQL ->
                "SELECT current_setting('client_encoding'), current_setting('TimeZone'),"
                        + " current_setting('transaction_isolation')";
            case MARIADB ->
                "SELECT @@session.character_set_client, @@session.time_zone,"
                        + " replace(@@session.tx_isolation, '-', ' ')";
            case H2 ->
                "SELECT 'none', setting, isolation_level FROM (SELECT ISOLATION_LEVEL FROM"
                        + " INFORMATION_SCHEMA.SESSIONS WHERE SESSION_ID = SESSION_ID()) AS s,"
                        + " (SELECT SETTING_VALUE AS setting FROM INFORMATION_SCHEMA.SETTINGS WHERE SETTING_NAME = 'TIME ZONE') AS z";
        };
        try (Statement statement = connection.createStatement();
                ResultSet rows = statement.executeQuery(question)) {
            assertThat(rows.next()).isTrue();
            assertThat(rows.getString(1)).isEqualToIgnoringCase(charset);
            assertThat(rows.getString(2)).isEqualTo(zone);
            assertThat(rows.getString(3).toUpperCase(Locale.ROOT)).isEqualTo(isolation);
        }
    }
}
