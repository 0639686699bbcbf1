package dev.baton.servers;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A PgBouncer for one test, in front of a PostgreSQL: a process that pools transactions and listens on a free loopback
 * port. It accepts all clients, as PostgreSQL's user {@code postgres}. Its log is in {@code target/servers}. Closed at
 * the latest when this JVM ends.
 *
 * <p>The program is the one that the system property {@code baton.pgbouncer.server} names; the script
 * {@code etc/servers} unpacks one. The methods that ask it need PostgreSQL's driver on the class path.
 */
public final class PgBouncer implements AutoCloseable {
    private static final String PROPERTY = "baton.pgbouncer.server";

    /** The command that starts PgBouncer, and the check whether it is up. */
    private final class Bouncer implements ServerLife.Kind {
        @Override
        public String name() {
            return "PgBouncer";
        }

        @Override
        public List<String> command(Path directory, int port) throws IOException {
            @Nullable String named = System.getProperty(PROPERTY);
            if (named == null) {
                throw new IOException("no PgBouncer: etc/servers unpacks one, and -D" + PROPERTY + " names it");
            }
            Path file = configuration(directory);
            List<String> lines = new ArrayList<>(List.of(
                    "[databases]",
                    "postgres = host=127.0.0.1 port=" + server.port() + " user=postgres",
                    "[pgbouncer]",
                    "listen_addr = 127.0.0.1",
                    "listen_port = " + port,
                    "unix_socket_dir =",
                    "auth_type = any",
                    "pool_mode = transaction",
                    // PostgreSQL's JDBC driver sends this parameter, and PgBouncer refuses unknown parameters.
                    "ignore_startup_parameters = extra_float_digits"));
            lines.addAll(settings);
            Files.write(file, lines);
            List<String> command = new ArrayList<>(List.of(named));
            if (System.getProperty("user.name").equals("root")) {
                // PgBouncer refuses to run as root. It reads the file before it switches to the other user.
                command.addAll(List.of("-u", "nobody"));
            }
            command.add(file.toString());
            return command;
        }

        private Path configuration(Path directory) {
            return directory.resolve("pgbouncer.ini");
        }

        /** Returns whether the process that answers on the port has read this server's file. */
        @Override
        public boolean answers(long pid, int port) throws IOException {
            try (Connection console = DriverManager.getConnection(
                            "jdbc:postgresql://127.0.0.1:" + port + "/pgbouncer?user=postgres&preferQueryMode=simple");
                    Statement statement = console.createStatement();
                    ResultSet rows = statement.executeQuery("SHOW CONFIG")) {
                boolean mine = false;
                while (rows.next()) {
                    mine |= rows.getString("key").equals("conffile")
                            && rows.getString("value")
                                    .equals(configuration(life.directory()).toString());
                }
                return mine;
            } catch (SQLException notYet) {
                throw new IOException(notYet);
            }
        }

        @Override
        public String portTaken() {
            return "Address already in use";
        }
    }

    private final PostgresServer server;
    private final List<String> settings;
    private final ServerLife life = new ServerLife(new Bouncer());

    private PgBouncer(PostgresServer server, List<String> settings) {
        this.server = server;
        this.settings = settings;
    }

    /**
     * Starts a PgBouncer.
     *
     * @param server the PostgreSQL behind it
     * @param settings more lines of its file, such as {@code max_prepared_statements = 0}; a later line wins
     */
    public static PgBouncer start(PostgresServer server, String... settings) {
        PgBouncer bouncer = new PgBouncer(server, List.of(settings));
        bouncer.life.startOnFreePort();
        return bouncer;
    }

    /** Returns the address, with its user. */
    public String uri() {
        return "jdbc:postgresql://127.0.0.1:" + life.port() + "/postgres?user=postgres";
    }

    /** Kills the process. */
    @Override
    public void close() {
        life.close();
    }
}
