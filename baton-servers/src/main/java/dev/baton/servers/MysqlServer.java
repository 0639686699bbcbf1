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
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * A MySQL that all tests of this JVM share: a process with its own data, on a free loopback port, without password. It
 * does not wait for the disk. Its log is in {@code target/servers}. Killed when this JVM ends.
 *
 * <p>The program is the {@code mysqld} that the system property {@code baton.mysql.server} names; the script
 * {@code etc/servers} unpacks one. The methods that ask the server need MySQL's driver on the class path.
 */
public final class MysqlServer {
    private static final String PROPERTY = "baton.mysql.server";
    private static final String DATABASE = "test";
    private static final long START_LIMIT_SECONDS = 120;
    private static final long DATA_LIMIT_SECONDS = 240;

    /** The one server, or the reason why there is none: every test is told, not only the first. */
    private static final class Shared {
        private static final @Nullable MysqlServer SERVER;
        private static final @Nullable RuntimeException FAILURE;

        static {
            MysqlServer server = null;
            RuntimeException failure = null;
            try {
                server = new MysqlServer();
                server.life.startOnFreePort();
            } catch (RuntimeException e) {
                failure = e;
            }
            SERVER = server;
            FAILURE = failure;
        }
    }

    /** The command that starts MySQL, and the check whether it is up. */
    private static final class Mysql implements ServerLife.Kind {
        @Override
        public String name() {
            return "MySQL";
        }

        @Override
        public List<String> command(Path directory, int port) throws IOException {
            Path data = directory.resolve("data");
            if (!Files.exists(data)) {
                makeData(directory, data);
            }
            List<String> command = program(data);
            command.addAll(List.of(
                    "--port=" + port,
                    "--bind-address=127.0.0.1",
                    "--socket=" + directory.resolve("socket"),
                    "--pid-file=" + directory.resolve("pid"),
                    "--mysqlx=OFF",
                    // Packages name a directory for this that may not exist.
                    "--secure-file-priv=NULL",
                    "--skip-log-bin",
                    "--max-connections=300",
                    "--innodb-flush-log-at-trx-commit=0"));
            return command;
        }

        @Override
        public long startLimitSeconds() {
            return START_LIMIT_SECONDS;
        }

        private static void makeData(Path directory, Path data) throws IOException {
            List<String> command = program(data);
            command.add("--initialize-insecure");
            ServerProcess maker = ServerProcess.start("mysql-data", directory, command, Map.of());
            try {
                if (!maker.endsWithin(TimeUnit.SECONDS.toMillis(DATA_LIMIT_SECONDS)) || !Files.exists(data)) {
                    throw new IOException(
                            "MySQL makes no data directory; the end of " + maker.log() + ":\n" + maker.tail());
                }
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
                throw new IOException("interrupted while MySQL made its data directory", e);
            } finally {
                maker.kill();
            }
        }

        private static List<String> program(Path data) throws IOException {
            @Nullable String named = System.getProperty(PROPERTY);
            if (named == null) {
                throw new IOException("no MySQL: etc/servers unpacks one, and -D" + PROPERTY + " names it");
            }
            List<String> command = new ArrayList<>(List.of(named, "--no-defaults", "--datadir=" + data));
            if (System.getProperty("user.name").equals("root")) {
                command.add("--user=root");
            }
            return command;
        }

        /** Returns whether this process, with its data, is the one that answers on the port. */
        @Override
        public boolean answers(long pid, int port) throws IOException {
            try (Connection connection = DriverManager.getConnection(uri(port, ""));
                    Statement statement = connection.createStatement()) {
                try (ResultSet row = statement.executeQuery("SELECT @@pid_file")) {
                    row.next();
                    if (!Files.readString(Path.of(row.getString(1))).strip().equals(Long.toString(pid))) {
                        return false;
                    }
                }
                statement.execute("CREATE DATABASE IF NOT EXISTS " + DATABASE);
                return true;
            } catch (SQLException notYet) {
                throw new IOException(notYet);
            }
        }

        @Override
        public String portTaken() {
            return "Address already in use";
        }
    }

    private final ServerLife life = new ServerLife(new Mysql());

    private MysqlServer() {}

    /** Returns the server that all tests of this JVM may share. */
    public static MysqlServer shared() {
        MysqlServer server = Shared.SERVER;
        if (server == null || Shared.FAILURE != null) {
            throw new IllegalStateException("MySQL does not start: " + Shared.FAILURE, Shared.FAILURE);
        }
        return server;
    }

    private static String uri(int port, String database) {
        return "jdbc:mysql://127.0.0.1:" + port + "/" + database + "?user=root";
    }

    /** Returns the address, with its user. */
    public String uri() {
        return uri(life.port(), DATABASE);
    }
}
