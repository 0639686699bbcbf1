package dev.baton.servers;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.UncheckedIOException;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * A Memcached for one test, which can pause, kill and restart it: a process that listens on a free loopback port. Its
 * log is in {@code target/servers}. Closed at the latest when this JVM ends.
 *
 * <p>The program is looked up in this order: the system property {@code baton.memcached.server}, the {@code PATH},
 * Debian's package, unpacked into the user's cache.
 *
 * <p>The methods that ask the server are thread-safe; the methods that pause, stop and start it are for one thread at a
 * time.
 */
public final class MemcachedServer extends ProcessServer {
    private static final DistributionPackage PACKAGE =
            new DistributionPackage("memcached", "memcached", "usr/bin/memcached");
    private static final int ANSWER_LIMIT_MILLIS = 5_000;
    private static final Set<String> LAST_WORDS = Set.of(
            "END",
            "OK",
            "STORED",
            "NOT_STORED",
            "EXISTS",
            "NOT_FOUND",
            "DELETED",
            "TOUCHED",
            "ERROR",
            "RESET",
            "EN",
            "HD",
            "BUSY");

    /** The server that tests share. */
    private static final class Shared {
        private static final MemcachedServer SERVER = start();
    }

    /** The command that starts Memcached, and the check whether it is up. */
    private final class Memcached implements ServerLife.Kind {
        private final DistributionPackage.Program program = PACKAGE.get();

        @Override
        public String name() {
            return "Memcached";
        }

        @Override
        public List<String> command(Path directory, int port) {
            List<String> command = new ArrayList<>(
                    List.of(program.path().toString(), "-l", host(), "-p", Integer.toString(port), "-U", "0"));
            if (System.getProperty("user.name").equals("root")) {
                command.addAll(List.of("-u", "root"));
            }
            command.addAll(options);
            return command;
        }

        @Override
        public Map<String, String> environment() {
            return program.environment();
        }

        @Override
        public boolean answers(long pid, int port) throws IOException {
            return ask("stats").contains("STAT pid " + pid);
        }

        @Override
        public String portTaken() {
            return "Address already in use";
        }
    }

    private final List<String> options;
    private final ServerLife life = new ServerLife(new Memcached());

    private MemcachedServer(List<String> options) {
        this.options = options;
    }

    /**
     * Starts a server.
     *
     * @param options of the command line, such as {@code -m 2} for two megabytes
     */
    public static MemcachedServer start(String... options) {
        MemcachedServer server = new MemcachedServer(List.of(options));
        server.life.startOnFreePort();
        return server;
    }

    /**
     * Returns the server that all tests of this JVM may share, started at the first call, closed when the JVM ends. A
     * test that pauses or stops it disturbs the others.
     */
    public static MemcachedServer shared() {
        return Shared.SERVER;
    }

    /** Returns the host name to connect to. */
    public String host() {
        return "127.0.0.1";
    }

    @Override
    ServerLife life() {
        return life;
    }

    /** Returns {@code memcached://127.0.0.1:port}. */
    @Override
    public String uri() {
        return "memcached://" + host() + ":" + port();
    }

    /**
     * Sends a line, and waits for the answer.
     *
     * @param command such as {@code stats}, or {@code set key 0 0 5\r\nvalue}
     * @return the lines of the answer, including the last one, which marks its end
     * @throws UncheckedIOException if it does not answer
     */
    public List<String> command(String command) {
        try {
            return ask(command);
        } catch (IOException e) {
            throw new UncheckedIOException("Memcached on port " + port() + ": " + e.getMessage(), e);
        }
    }

    private List<String> ask(String command) throws IOException {
        try (Socket socket = new Socket()) {
            socket.setSoTimeout(ANSWER_LIMIT_MILLIS);
            socket.connect(new InetSocketAddress(host(), port()), ANSWER_LIMIT_MILLIS);
            socket.getOutputStream().write((command + "\r\n").getBytes(StandardCharsets.UTF_8));
            BufferedReader reader =
                    new BufferedReader(new InputStreamReader(socket.getInputStream(), StandardCharsets.UTF_8));
            List<String> lines = new ArrayList<>();
            while (true) {
                @Nullable String line = reader.readLine();
                if (line == null) {
                    throw new IOException("the connection ended after " + lines);
                }
                lines.add(line);
                String word = line.split(" ", 2)[0];
                if (LAST_WORDS.contains(word) || word.endsWith("_ERROR")) {
                    return lines;
                }
            }
        }
    }

    /** Returns the output of {@code stats}, by name. */
    public Map<String, String> stats() {
        Map<String, String> values = new LinkedHashMap<>();
        for (String line : command("stats")) {
            String[] words = line.split(" ", 3);
            if (words.length == 3) {
                values.put(words[1], words[2]);
            }
        }
        return values;
    }
}
