package dev.baton.jdbc;

import dev.baton.spi.Capabilities;
import dev.baton.spi.Store;
import dev.baton.spi.StoreConfig;
import dev.baton.spi.StoreFailure;
import dev.baton.spi.StoreProvider;
import java.sql.Connection;
import java.util.Map;
import java.util.function.LongSupplier;
import java.util.function.UnaryOperator;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * Opens {@code jdbc:} addresses of SQLite, PostgreSQL, MySQL, MariaDB and H2. Found by {@link java.util.ServiceLoader}.
 *
 * <p>An address is the one that the database's driver accepts, including user and password. On a server, its option
 * {@code baton.tables=PREFIX} names the tables, and {@code baton.connections=N} bounds the connections for calls. If the client's options contain a {@link javax.sql.DataSource} as a
 * resource, the connections come from there; then the address only says which database it is, as in
 * {@code jdbc:postgresql:}.
 */
public final class JdbcStoreProvider implements StoreProvider {
    private final UnaryOperator<Connection> wrapper;

    /** Creates the provider; the service loader calls this. */
    public JdbcStoreProvider() {
        this(UnaryOperator.identity());
    }

    /**
     * Creates a provider whose connections tests can watch.
     *
     * @param wrapper wraps every connection
     */
    JdbcStoreProvider(UnaryOperator<Connection> wrapper) {
        this.wrapper = wrapper;
    }

    @Override
    public Map<String, Capabilities> schemes() {
        return Stream.of(Databases.values())
                .collect(Collectors.toUnmodifiableMap(Databases::scheme, Databases::capabilities));
    }

    @Override
    public Store open(StoreConfig config) throws StoreFailure {
        return new Opening(config, wrapper, null).open();
    }

    /** Opens a store that goes by another clock than its database's. */
    static Store open(StoreConfig config, LongSupplier clock) throws StoreFailure {
        return new Opening(config, UnaryOperator.identity(), clock).open();
    }
}
