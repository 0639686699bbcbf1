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
 * The life of one server of a test: a process that listens on a loopback port. It has its own directory, which is
 * deleted when the server is closed, at the latest when this JVM ends. For one thread at a time, except {@link #close}.
 */
final class ServerLife implements AutoCloseable {
    /** How long the first answer may take while other builds use the processors. */
    private static final long START_LIMIT_SECONDS = 120;

    private static final int POLL_MILLIS = 10;
    private static final int PORTS = 10;
    private static final Set<ServerLife> OPEN = ConcurrentHashMap.newKeySet();

    static {
        Runtime.getRuntime().addShutdownHook(new Thread(() -> OPEN.forEach(ServerLife::close)));
    }

    /** The properties of a kind of server. */
    interface Kind {
        /** Returns its name for messages. */
        String name();

        /** Returns a port that is free now. */
        default int freePort() {
            return FreePort.next();
        }

        /** Returns the command that starts a server. */
        List<String> command(Path directory, int port) throws IOException;

        /** Returns the variables that the command needs in addition to this JVM's environment. */
        default Map<String, String> environment() {
            return Map.of();
        }

        /** Returns whether this very process answers on the port. Throws if there is no answer. */
        boolean answers(long pid, int port) throws IOException;

        /** Returns the text in its log that says that another process uses the port. */
        String portTaken();
    }

    private final Kind kind;
    private final Path directory = ScratchDirectory.create();
    private int port;
    private volatile boolean paused;
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
                    launch(kind.freePort());
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

    /** Starts the process without waiting for an answer. */
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
        // The process may be dead already: then the message must quote its log.
        ServerProcess started = Objects.requireNonNull(process, "launch first");
        Deadline deadline = Deadline.in(TimeUnit.SECONDS.toNanos(START_LIMIT_SECONDS));
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

    /** Returns the port. It is the same after a restart. */
    int port() {
        return port;
    }

    /** Returns the process ID of the last start. */
    long pid() {
        return Objects.requireNonNull(process, "launch first").pid();
    }

    Path directory() {
        return directory;
    }

    /** Sends SIGSTOP: connections stay, and the server does not answer. */
    void pause() {
        running().pause();
        paused = true;
    }

    /** Sends SIGCONT. */
    void resume() {
        running().signal("CONT");
        paused = false;
    }

    /** Sends SIGKILL, and waits until the process has ended. */
    void kill() {
        @Nullable ServerProcess now = process;
        if (now != null) {
            now.kill();
        }
        paused = false;
    }

    /** Sends SIGTERM, and waits until the process has ended. */
    void stop() {
        if (paused) {
            resume();
        }
        running().terminate();
    }

    /**
     * Kills the process if it runs, starts one on the same port and in the same directory, and waits for its answer.
     */
    void restart() {
        kill();
        launch(port);
        try {
            awaitAnswer();
        } catch (PortTaken taken) {
            throw new IllegalStateException(taken);
        }
    }

    /** Returns whether the process runs, paused or not. */
    boolean isRunning() {
        @Nullable ServerProcess now = process;
        return now != null && now.isAlive();
    }

    /** Returns whether the process runs and is not paused. */
    boolean isAwake() {
        return isRunning() && !paused;
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
