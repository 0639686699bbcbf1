package dev.baton.servers;

import dev.baton.servers.MysqlKind.Commits;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;

/**
 * A MySQL: a process with its own data, on a free loopback port, without password. It does not wait for the disk. Its
 * log is in {@code target/servers}. Killed when this JVM ends.
 *
 * <p>The program is the {@code mysqld} that the system property {@code baton.mysql.server} names; else the one that the
 * script {@code etc/servers} has unpacked. MySQL's driver must be on the class path.
 */
public final class MysqlServer extends MysqlProcess {
    private static final NewerProgram PROGRAM = new NewerProgram("mysql");
    private static final long DATA_LIMIT_SECONDS = 240;

    private static final SharedServer<MysqlServer> SHARED = new SharedServer<>("MySQL", () -> start(Commits.LATE));

    /** The program, and how it makes data. */
    private static final class Mysql extends MysqlKind {
        Mysql(Commits commits) {
            super("jdbc:mysql", commits);
        }

        @Override
        public String name() {
            return "MySQL";
        }

        @Override
        List<String> program(Path directory, Path data) {
            List<String> command = new ArrayList<>(onData(data));
            command.addAll(List.of(
                    "--mysqlx=OFF",
                    // Packages name a directory for this that may not exist.
                    "--secure-file-priv=NULL",
                    "--skip-log-bin"));
            return command;
        }

        private static List<String> onData(Path data) {
            return List.of(PROGRAM.path().toString(), "--no-defaults", "--datadir=" + data);
        }

        @Override
        void makeData(Path directory, Path data) throws IOException {
            List<String> command = asThisUser(onData(data));
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
    }

    private MysqlServer(Commits commits) {
        super(new Mysql(commits));
    }

    /**
     * Returns the server that all tests of this JVM may share. It may lose its last commits with its process.
     */
    public static MysqlServer shared() {
        return SHARED.get();
    }

    /**
     * Starts a server whose acknowledged commits survive the end of its process.
     *
     * @throws IllegalStateException if there is no program, with the command that fetches it
     */
    public static MysqlServer start() {
        return start(Commits.BEFORE_ANSWER);
    }

    private static MysqlServer start(Commits commits) {
        PROGRAM.path();
        return new MysqlServer(commits);
    }
}
