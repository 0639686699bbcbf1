package dev.baton.jdbc;

import dev.baton.spi.Capabilities;
import dev.baton.spi.Deadline;
import dev.baton.spi.Store;
import dev.baton.spi.StoreConfig;
import dev.baton.spi.StoreFailure;
import dev.baton.spi.StoreFailure.Effect;
import dev.baton.spi.StoreProvider;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.util.List;
import java.util.Set;
import java.util.function.UnaryOperator;

/**
 * Opens {@code jdbc:sqlite:FILE}: locks for all processes of one machine, in a file that is made when it is missing.
 * Found by {@link java.util.ServiceLoader}.
 */
public final class JdbcStoreProvider implements StoreProvider {
    private static final Dialect SQLITE = Dialect.read("sqlite.sql");

    private final UnaryOperator<Connection> wrapper;

    /** The provider. */
    public JdbcStoreProvider() {
        this(UnaryOperator.identity());
    }

    /**
     * A provider whose connections are watched, for tests.
     *
     * @param wrapper what to put around every connection
     */
    JdbcStoreProvider(UnaryOperator<Connection> wrapper) {
        this.wrapper = wrapper;
    }

    @Override
    public Set<String> schemes() {
        return Set.of(SqliteAddress.SCHEME);
    }

    @Override
    public Capabilities capabilities() {
        return SQLITE.capabilities();
    }

    @Override
    public Store open(StoreConfig config) throws StoreFailure {
        config.requireResourcesOf();
        SqliteAddress address = SqliteAddress.of(config.uri());
        address.check();
        requireDriver(address);
        String target = address.file().toString();
        List<String> setup = SQLITE.connect().stream()
                .map(statement -> statement.replace("{synchronous}", address.synchronous()))
                .toList();
        Session writer = new Session(SQLITE, () -> connect(address), setup, target);
        Session reader = new Session(SQLITE, () -> connect(address), setup, target);
        try {
            Descriptor descriptor = writer.run(
                    Deadline.in(config.connectTimeout().toNanos()), session -> prepare(session, config, target));
            return new JdbcStore(
                    SQLITE.capabilities(),
                    config.clientId(),
                    config.timings(),
                    descriptor.runId(),
                    new Tables(config.namespace(), config.clock()),
                    writer,
                    reader);
        } catch (StoreFailure e) {
            writer.close();
            throw e;
        }
    }

    private static Descriptor prepare(Session session, StoreConfig config, String target)
            throws SQLException, StoreFailure {
        for (String statement : SQLITE.schema()) {
            session.execute(statement);
        }
        String store = SQLITE.capabilities().store();
        return Descriptor.agree(session, config.namespace(), config.timings(), store, target);
    }

    private Connection connect(SqliteAddress address) throws SQLException {
        return wrapper.apply(DriverManager.getConnection(address.url()));
    }

    private static void requireDriver(SqliteAddress address) throws StoreFailure {
        try {
            DriverManager.getDriver(address.url());
        } catch (SQLException e) {
            throw new StoreFailure(
                    Effect.NONE, "no JDBC driver for SQLite: add " + SQLITE.driver() + " to the class path", e);
        }
    }
}
