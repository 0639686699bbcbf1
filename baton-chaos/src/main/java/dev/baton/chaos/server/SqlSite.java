package dev.baton.chaos.server;

import dev.baton.chaos.fault.Fault;
import dev.baton.chaos.fault.Fault.Damage;
import dev.baton.chaos.fault.Stage;
import dev.baton.chaos.history.HostTime;
import java.net.URI;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;

/** A database server, with the faults that any session can cause. */
final class SqlSite implements Site {
    private final String uri;
    private final String killSessions;
    private final List<Fault> ofProcess;
    private final Runnable closing;

    /**
     * Describes a database that runs.
     *
     * @param uri its address
     * @param killSessions a query that returns a statement for each other session, which ends it
     * @param ofProcess the faults of the server's process
     * @param closing ends the server
     */
    SqlSite(String uri, String killSessions, List<Fault> ofProcess, Runnable closing) {
        this.uri = uri;
        this.killSessions = killSessions;
        this.ofProcess = ofProcess;
        this.closing = closing;
    }

    @Override
    public String uri() {
        return uri;
    }

    @Override
    public int port() {
        return URI.create(uri.substring("jdbc:".length())).getPort();
    }

    @Override
    public List<Fault> faults() {
        List<Fault> faults = new ArrayList<>(ofProcess);
        faults.add(new ServerFault("sessions-kill", Damage.NONE, (stage, random) -> killSessions()));
        faults.add(new ServerFault("rows-pinned", Damage.NONE, this::pinRows));
        return faults;
    }

    private Connection connect() throws SQLException {
        return DriverManager.getConnection(uri);
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
            long killed = 0;
            for (String kill : kills) {
                killed += kill(statement, kill) ? 1 : 0;
            }
            return killed;
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

    /** Another transaction keeps the rows of all locks locked. */
    private long pinRows(Stage stage, SplittableRandom random) throws Exception {
        try (Connection connection = connect();
                Statement statement = connection.createStatement()) {
            connection.setAutoCommit(false);
            long rows = count(statement.executeQuery("SELECT name FROM baton_lease FOR UPDATE"));
            HostTime.sleep(stage.leases(0.2, 1, random));
            connection.rollback();
            return rows;
        }
    }

    @Override
    public void close() {
        closing.run();
    }
}
