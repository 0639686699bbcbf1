package dev.baton.chaos.server;

import dev.baton.chaos.fault.Fault;
import dev.baton.chaos.fault.Fault.Damage;
import dev.baton.chaos.fault.Stage;
import dev.baton.chaos.history.HostTime;
import dev.baton.servers.LocalServer;
import dev.baton.servers.net.TcpProxy;
import java.sql.Connection;
import java.sql.DatabaseMetaData;
import java.sql.DriverManager;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import org.jspecify.annotations.Nullable;

/**
 * A database server.
 *
 * @param <S> the server
 */
final class SqlSite<S extends LocalServer> extends LocalSite<S> implements Marker {
    private static final String MARKERS = "CREATE TABLE IF NOT EXISTS chaos_marker (number BIGINT)";

    private final Damage killed;
    private final String killSessions;
    private final @Nullable Duration probes;

    /**
     * Describes it.
     *
     * @param server starts it
     * @param options what clients append to its address
     * @param killed what the death of its process breaks
     * @param killSessions a query that returns a statement for each other session, which ends it
     * @param probes how long the server's system takes to notice that a client is gone without a word; null if the
     *     server has to limit transactions by itself
     */
    SqlSite(Started<S> server, String options, Damage killed, String killSessions, @Nullable Duration probes) {
        super(server, options, List.of());
        this.killed = killed;
        this.killSessions = killSessions;
        this.probes = probes;
    }

    @Override
    public TcpProxy network() {
        TcpProxy network = TcpProxy.to("127.0.0.1", port());
        if (probes != null) {
            network.probe(probes);
        }
        return network;
    }

    @Override
    public String words() {
        try (Connection connection = connect()) {
            DatabaseMetaData about = connection.getMetaData();
            return about.getDatabaseProductName() + ' ' + about.getDatabaseProductVersion() + " at "
                    + Addresses.withoutPassword(uri());
        } catch (SQLException e) {
            throw new IllegalStateException(e);
        }
    }

    @Override
    public List<Fault> faults() {
        List<Fault> faults = super.faults();
        faults.addAll(ServerFault.ofProcess(killed, this::server));
        faults.add(ServerFault.oldData(Damage.FORGETS, this::server, this));
        faults.add(ServerFault.counted("sessions-kill", Damage.NONE, (stage, random) -> killSessions()));
        faults.add(ServerFault.counted("rows-pinned", Damage.NONE, this::pinRows));
        return faults;
    }

    private Connection connect() throws SQLException {
        return DriverManager.getConnection(server().uri());
    }

    private long killSessions() throws SQLException {
        try (Connection connection = connect();
                Statement statement = connection.createStatement()) {
            List<String> kills = new ArrayList<>();
            try (ResultSet rows = statement.executeQuery(killSessions)) {
                while (rows.next()) {
                    kills.add(rows.getString(1));
                }
            }
            long ended = 0;
            for (String kill : kills) {
                ended += kill(statement, kill) ? 1 : 0;
            }
            return ended;
        }
    }

    private static boolean kill(Statement statement, String kill) {
        try {
            statement.execute(kill);
            return true;
        } catch (SQLException gone) {
            // The session has ended by itself.
            return false;
        }
    }

    private static long count(ResultSet rows) throws SQLException {
        long count = 0;
        while (rows.next()) {
            count++;
        }
        return count;
    }

    /** Locks all rows, unless clients keep one of them for longer than the server waits. */
    private static long pinned(Statement statement) {
        try {
            return count(statement.executeQuery("SELECT name FROM baton_lease FOR UPDATE"));
        } catch (SQLException busy) {
            return 0;
        }
    }

    /** Another transaction keeps the rows of all locks locked. */
    private long pinRows(Stage stage, SplittableRandom random) throws Exception {
        try (Connection connection = connect();
                Statement statement = connection.createStatement()) {
            connection.setAutoCommit(false);
            long rows = pinned(statement);
            HostTime.sleep(stage.leases(0.2, 1, random));
            connection.rollback();
            return rows;
        }
    }

    @Override
    public void set(long number) throws SQLException {
        try (Connection connection = connect();
                Statement statement = connection.createStatement()) {
            statement.execute(MARKERS);
            statement.execute("INSERT INTO chaos_marker VALUES (" + number + ")");
        }
    }

    @Override
    public boolean isSet(long number) throws SQLException {
        try (Connection connection = connect();
                Statement statement = connection.createStatement()) {
            // The table may be newer than the data.
            statement.execute(MARKERS);
            return count(statement.executeQuery("SELECT number FROM chaos_marker WHERE number = " + number)) > 0;
        }
    }
}
