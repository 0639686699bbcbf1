package dev.baton.jdbc;

import dev.baton.spi.Deadline;
import dev.baton.spi.Store;
import dev.baton.spi.StoreConfig;
import dev.baton.spi.StoreFailure;
import dev.baton.spi.StoreFailure.Effect;
import dev.baton.spi.StoreFailure.Reason;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.util.List;
import java.util.Locale;
import java.util.function.LongSupplier;
import java.util.function.UnaryOperator;
import java.util.stream.Stream;
import javax.sql.DataSource;
import org.jspecify.annotations.Nullable;

/** Builds all parts of one client's store. */
final class Opening {
    /** One extra session for heartbeats, which only connects if other calls use all the sessions. */
    private static final int KEPT = 1;

    private final StoreConfig config;
    private final UnaryOperator<Connection> wrapper;
    private final @Nullable LongSupplier clock;
    private final Databases database;
    private final Address address;
    private final Redaction redaction;
    private final @Nullable DataSource source;
    private final String threads;

    /** With a clock that replaces the database's, or null. */
    Opening(StoreConfig config, UnaryOperator<Connection> wrapper, @Nullable LongSupplier clock) {
        this.config = config;
        this.clock = clock;
        this.wrapper = wrapper;
        String uri = config.uri().toString().toLowerCase(Locale.ROOT);
        this.database = Stream.of(Databases.values())
                .filter(each -> uri.startsWith(each.scheme() + ':'))
                .findFirst()
                .orElseThrow(() -> new IllegalArgumentException(
                        "no dialect for " + config.uri().getScheme()));
        if (database == Databases.SQLITE) {
            config.requireDriverObjectsOf();
            this.address = SqliteAddress.of(config.uri());
        } else {
            config.requireDriverObjectsOf(DataSource.class);
            this.address = ServerAddress.of(config.uri(), database);
        }
        this.redaction = Redaction.of(address.url());
        this.source = config.driverObject(DataSource.class).orElse(null);
        this.threads = "baton-"
                + config.clientId().substring(0, Math.min(6, config.clientId().length())) + "-jdbc";
    }

    Store open() throws StoreFailure {
        address.check();
        if (source == null) {
            requireDriver();
        }
        return database == Databases.SQLITE ? openFile() : openServer();
    }

    /** Calls that write have connections of their own: readers go on beside the one that writes. */
    private Store openFile() throws StoreFailure {
        return store(
                sessions(address.connections(), 0, this::direct, null),
                sessions(address.connections(), 0, this::direct, null),
                Listening.none(database.capabilities()));
    }

    /** Listening takes a connection for good: one of Baton's own, never one of a pool that others need. */
    private Store openServer() throws StoreFailure {
        DriverThreads connecting = new DriverThreads(threads, needsOwnThreads());
        Lenders lenders =
                () -> new Connecting(this::connect, source != null, address.target(), patienceNanos(), connecting);
        Sessions sessions = sessions(address.connections(), KEPT, lenders, connecting);
        return store(
                sessions,
                sessions,
                database == Databases.POSTGRESQL && source == null
                        ? new PostgresqlListening(
                                lenders.make(),
                                sessions,
                                config.listener(),
                                config.clientId(),
                                address.target(),
                                threads + "-push")
                        : Listening.none(database.capabilities(false)));
    }

    /**
     * An interrupt makes an embedded H2 lose its file, and a DataSource does not tell whether H2 is embedded;
     * otherwise, H2's driver has no time limit for a call.
     */
    private boolean needsOwnThreads() {
        return database == Databases.H2;
    }

    /** Half of the time for connecting: after an attempt whose packets were lost, a second one has the other half. */
    private long patienceNanos() {
        return config.connectTimeout().toNanos() / 2;
    }

    private interface Lenders {
        Lender make();
    }

    private Sessions sessions(int number, int kept, Lenders lenders, @Nullable DriverThreads elsewhere) {
        List<Session> sessions = Stream.generate(() ->
                        new Session(address.dialect(), lenders.make(), address.setup(), redaction, address.target()))
                .limit(number + kept)
                .toList();
        return new Sessions(sessions, number, address.target(), elsewhere);
    }

    private Store store(Sessions writer, Sessions reader, Listening listening) throws StoreFailure {
        try {
            Deadline deadline = Deadline.in(config.connectTimeout().toNanos());
            Descriptor descriptor = writer.run(deadline, this::prepare);
            List<String> warnings = writer.run(deadline, Examination::warnings);
            Listening heard = listening;
            if (writer.run(deadline, Session::isPooled)) {
                listening.close();
                heard = Listening.none(database.capabilities(false));
            }
            return new JdbcStore(
                    config,
                    new Tables(config.namespace(), clock),
                    Stamps.of(descriptor.runId(), config.timings()),
                    descriptor.agreement().namespaceId(),
                    warnings,
                    writer,
                    reader,
                    heard);
        } catch (StoreFailure | RuntimeException refused) {
            listening.close();
            writer.close();
            reader.close();
            throw refused;
        }
    }

    private Descriptor prepare(Session session) throws SQLException, StoreFailure {
        if (source != null && !database.isCalled(session.product())) {
            throw new StoreFailure(
                    Effect.NONE,
                    Reason.UNFIT,
                    "the address says " + database.scheme() + ":, but the DataSource is of " + session.product(),
                    null);
        }
        new Schema(session, address.target()).prepare();
        return Descriptor.agree(
                session, config.namespace(), config.timings(), address.dialect().store(), address.target());
    }

    private Lender direct() {
        return new Lender() {
            @Override
            public Connection lend(Deadline deadline) throws SQLException {
                return connect();
            }

            @Override
            public boolean isShared() {
                return false;
            }

            @Override
            public void close() {
                // The session closes its connection.
            }
        };
    }

    /** Redacts errors: if drivers cannot connect, they quote addresses with their secrets. */
    private Connection connect() throws SQLException {
        try {
            return connectTelling();
        } catch (SQLException e) {
            throw redaction.of(e);
        } catch (RuntimeException e) {
            throw redaction.of(new SQLException(String.valueOf(e), e));
        }
    }

    private Connection connectTelling() throws SQLException {
        DataSource pool = source;
        if (pool == null) {
            return wrapper.apply(DriverManager.getConnection(
                    address.url(), LoginLimits.of(database, address.url(), config.connectTimeout())));
        }
        return wrapper.apply(pool.getConnection());
    }

    private void requireDriver() throws StoreFailure {
        try {
            DriverManager.getDriver(address.url());
        } catch (SQLException e) {
            throw new StoreFailure(
                    Effect.NONE,
                    "no JDBC driver for " + address.dialect().store() + ": add "
                            + address.dialect().driver() + " to the class path",
                    redaction.of(e));
        }
    }
}
