package dev.baton.jdbc;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.baton.Baton;
import dev.baton.BatonOptions;
import dev.baton.StoreException;
import dev.baton.servers.MariaServer;
import dev.baton.servers.PostgresServer;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.Statement;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Databases that may forget acknowledged changes warn when a client connects. The servers of the tests are such. */
class ServerWarningsTest {
    private static final String FORGETS = "may forget who holds what";

    private static List<String> warnings(String uri) throws Exception {
        return warnings(uri, new CountingConnection());
    }

    private static List<String> warnings(String uri, CountingConnection connections) throws Exception {
        try (JdbcClient client = new JdbcClient(new JdbcStoreProvider(connections::around), uri, "a")) {
            return client.store().warnings();
        }
    }

    @Test
    void postgresql_thatDoesNotWaitForTheDisk_warns() throws Exception {
        String uri = PostgresServer.shared().uri();
        assertThat(warnings(uri)).singleElement().asString().contains("fsync off", FORGETS, "set fsync = on");
        assertThat(warnings(uri + "&options=-c%20synchronous_commit=off"))
                .hasSize(2)
                .anyMatch(warning -> warning.contains("synchronous_commit off") && warning.contains(FORGETS))
                .allMatch(warning -> warning.startsWith("PostgreSQL at jdbc:postgresql://127.0.0.1:"));
    }

    @Test
    void mariadb_thatFlushesLate_warns_andOneThatDoesNotIsSilent() throws Exception {
        String uri = MariaServer.shared().uri();
        assertThat(warnings(uri))
                .singleElement()
                .asString()
                .contains("innodb_flush_log_at_trx_commit = 0", FORGETS, "set it to 1");
        try (Connection connection = DriverManager.getConnection(uri);
                Statement statement = connection.createStatement()) {
            statement.execute("SET GLOBAL innodb_flush_log_at_trx_commit = 1");
            try {
                assertThat(warnings(uri)).isEmpty();
            } finally {
                statement.execute("SET GLOBAL innodb_flush_log_at_trx_commit = 0");
            }
        }
    }

    @Test
    void h2_thatWritesLate_warns_andOneThatDoesNotOrHasNoFileIsSilent(@TempDir Path directory) throws Exception {
        String file = "jdbc:h2:" + directory.resolve("locks");
        assertThat(warnings(file))
                .singleElement()
                .asString()
                .contains("WRITE_DELAY 500", FORGETS, "add ;WRITE_DELAY=0");
        assertThat(warnings(file + ";WRITE_DELAY=0")).isEmpty();
        assertThat(warnings(H2Server.newUri())).isEmpty();
    }

    @Test
    void strictClient_isNotConnected() {
        assertThatThrownBy(() -> Baton.connect(
                        PostgresServer.shared().uri(),
                        BatonOptions.builder().strict(true).build()))
                .isInstanceOf(StoreException.class)
                .hasMessageContaining("refused, because strict is set")
                .hasMessageContaining("fsync");
    }

    @Test
    void database_thatDoesNotSay_isConnectedWithAWarning() throws Exception {
        CountingConnection mute = new CountingConnection();
        mute.fail(sql -> sql.contains("'fsync'"), 1);
        assertThat(warnings(PostgresServer.shared().uri(), mute))
                .singleElement()
                .asString()
                .contains("did not say whether it keeps what it acknowledged", "made to fail");
    }
}
