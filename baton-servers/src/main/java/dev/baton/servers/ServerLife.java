package dev.baton.servers;

import dev.baton.servers.net.FreePort;
import dev.baton.spi.Deadline;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * The life of one server of a test's own: a process that listens on a loopback port and has a directory of its own, which
 * goes when it is closed; at the latest when this JVM ends. For one thread at a time, but for {@link #close}.
 */
final class ServerLife implements AutoCloseable {
    private static final long START_LIMIT_SECONDS = 30;
    private static final int POLL_MILLIS = 10;
    private static final int PORTS = 10;
    private static final Set<ServerLife> OPEN = ConcurrentHashMap.newKeySet();

    static {
        Runtime.getRuntime().addShutdownHook(new Thread(() -> OPEN.forEach(ServerLife::close)));
    }

    /** What a kind of server brings. */
    interface Kind {
        /** Its name, for people. */
        String name();

        /** The command that starts one. */
        List<String> command(Path directory, int port) throws IOException;

        /** What the command needs besides this JVM's environment. */
        default Map<String, String> environment() {
            return Map.of();
        }

        /** How long it may take to answer at first, beside other builds. */
        default long startLimitSeconds() {
            return START_LIMIT_SECONDS;
        }

        /** Whether this very process answers on the port; throws if nobody does. */
        boolean answers(long pid, int port) throws IOException;

        /** What its log says when the port belongs to somebody else. */
        String portTaken();
    }

    private final Kind kind;
    private final Path directory = ScratchDirectory.create();
    private int port;
    private boolean paused;
    private volatile boolean closed;
    private volatile @Nullable ServerProcess process;

    ServerLife(Kind kind) {
        this.kind = kind;
        OPEN.add(this);
    }

    /** Starts the process on a free port, and waits until it answers. Closes itself if it does not. */
    void startOnFreePort() {
        try {
            for (int attempt = 1; ; attempt++) {
                try {
                    launch(FreePort.next());
                    awaitAnswer();
                    return;
                } catch (PortTaken taken) {
                    if (attempt == PORTS) {
                        throw new IllegalStateException("no port after " + attempt + " attempts", taken);
                    }
                }
            }
        } catch (RuntimeException e) {
            close();
            throw e;
        }
    }

    /** Starts the process, and does not wait until it answers. */
    void launch(int onPort) {
        requireOpen();
        port = onPort;
        try {
            ServerProcess started = ServerProcess.start(
                    kind.name().toLowerCase(Locale.ROOT), directory, kind.command(directory, port), kind.environment());
            process = started;
            if (closed) {
                started.kill();
            }
            requireOpen();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private void requireOpen() {
        if (closed) {
            throw new IllegalStateException("closed");
        }
    }

    /** Waits until the process answers. */
    void awaitAnswer() throws PortTaken {
        // Dead or alive: one that has ended already is to be told with what it logged.
        ServerProcess started = Objects.requireNonNull(process, "launch first");
        Deadline deadline = Deadline.in(TimeUnit.SECONDS.toNanos(kind.startLimitSeconds()));
        @Nullable Exception last = null;
        try {
            while (deadline.leftNanos() > 0) {
                if (started.endsWithin(POLL_MILLIS)) {
                    throw ended(started);
                }
                try {
                    if (kind.answers(started.pid(), port)) {
                        return;
                    }
                } catch (IOException | RuntimeException notYet) {
                    last = notYet;
                }
            }
            throw new IllegalStateException(describe("did not answer in time", started), last);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException("interrupted while the server started", e);
        }
    }

    private IllegalStateException ended(ServerProcess started) throws PortTaken {
        String message = describe("ended", started);
        if (message.contains(kind.portTaken())) {
            throw new PortTaken(message);
        }
        return new IllegalStateException(message);
    }

    private String describe(String what, ServerProcess started) {
        return kind.name() + " on port " + port + " " + what + "; the end of " + started.log() + ":\n" + started.tail();
    }

    /** The port; the same after a restart. */
    int port() {
        return port;
    }

    /** The process that was started last. */
    long pid() {
        return Objects.requireNonNull(process, "launch first").pid();
    }

    Path directory() {
        return directory;
    }

    /** SIGSTOP: connections stay, nobody answers. */
    void pause() {
        running().pause();
        paused = true;
    }

    /** SIGCONT. */
    void resume() {
        running().signal("CONT");
        paused = false;
    }

    /** SIGKILL, and waits for the end. */
    void kill() {
        @Nullable ServerProcess now = process;
        if (now != null) {
            now.kill();
        }
        paused = false;
    }

    /** SIGTERM, and waits for the end. */
    void stop() {
        if (paused) {
            resume();
        }
        running().terminate();
    }

    /** Kills the process if it runs, starts one on the same port and in the same directory, and waits for its answer. */
    void restart() {
        kill();
        launch(port);
        try {
            awaitAnswer();
        } catch (PortTaken taken) {
            throw new IllegalStateException(taken);
        }
    }

    private ServerProcess running() {
        @Nullable ServerProcess now = process;
        if (now == null || !now.isAlive()) {
            throw new IllegalStateException(kind.name() + " on port " + port + " does not run");
        }
        return now;
    }

    /** Kills the process, and deletes its directory. */
    @Override
    public void close() {
        closed = true;
        OPEN.remove(this);
        try {
            kill();
        } finally {
            ScratchDirectory.delete(directory);
        }
    }
}
