package dev.baton.servers;

import java.io.IOException;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.List;

/**
 * An H2 server with a database in a file: a JVM of its own that listens on a free loopback port. Its log is in {@code
 * target/servers}. Closed at the latest when this JVM ends. H2 must be on the class path.
 */
public final class H2ServerProcess extends ProcessServer {
    /** The command that starts it, and the check whether it is up. */
    private static final class H2 implements ServerLife.Kind {
        @Override
        public String name() {
            return "H2";
        }

        @Override
        public List<String> command(Path directory, int port) {
            return JavaProgram.command(
                    List.of("-Dh2.bindAddress=127.0.0.1"),
                    "org.h2.tools.Server",
                    "-tcp",
                    "-tcpPort",
                    Integer.toString(port),
                    "-ifNotExists",
                    "-baseDir",
                    directory.toString());
        }

        /** Returns whether the database is there. Another server with the same port would have to have it, too. */
        @Override
        public boolean answers(long pid, int port) throws IOException {
            try (Connection connection = DriverManager.getConnection(uri(port));
                    Statement statement = connection.createStatement();
                    ResultSet row = statement.executeQuery("SELECT 1")) {
                return row.next();
            } catch (SQLException notYet) {
                throw new IOException(notYet);
            }
        }

        @Override
        public String portTaken() {
            return "Address already in use";
        }
    }

    private final ServerLife life = new ServerLife(new H2());

    private H2ServerProcess() {}

    /** Starts a server. */
    public static H2ServerProcess start() {
        H2ServerProcess server = new H2ServerProcess();
        server.life.startOnFreePort();
        return server;
    }

    private static String uri(int port) {
        return "jdbc:h2:tcp://127.0.0.1:" + port + "/./locks;USER=sa";
    }

    @Override
    ServerLife life() {
        return life;
    }

    /** Returns the address of the database, with its user. */
    @Override
    public String uri() {
        return uri(life.port());
    }
}
