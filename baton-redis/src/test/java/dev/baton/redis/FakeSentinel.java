package dev.baton.redis;

import dev.baton.servers.RedisServer;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;

/** Says what a test wants about the primary of {@link #NAME}: a sentinel that lies, is late, or is silent. */
final class FakeSentinel implements AutoCloseable {
    static final String NAME = "fake";
    private static final long PATIENCE_NANOS = TimeUnit.SECONDS.toNanos(60);

    /** What it says. */
    private record Word(String host, int port, long epoch) {}

    private final ServerSocket socket = new ServerSocket(0, 50, InetAddress.getLoopbackAddress());
    private final Map<Wire, Boolean> wires = new ConcurrentHashMap<>();
    private final Set<Wire> subscribed = ConcurrentHashMap.newKeySet();
    private final AtomicInteger asked = new AtomicInteger();
    private final String password;
    private volatile Word word = new Word("127.0.0.1", 1, 0);
    private volatile boolean silent;
    private volatile boolean down;

    FakeSentinel() throws IOException {
        this("");
    }

    FakeSentinel(String password) throws IOException {
        this.password = password;
        start(this::accept);
    }

    private static void start(Runnable task) {
        Thread thread = new Thread(task, "fake-sentinel");
        thread.setDaemon(true);
        thread.start();
    }

    String place() {
        return "127.0.0.1:" + socket.getLocalPort();
    }

    /** Names a primary from now on, without announcing it. */
    FakeSentinel says(RedisServer server, long epoch) {
        return says(server.host(), server.port(), epoch);
    }

    FakeSentinel says(String host, int port, long epoch) {
        word = new Word(host, port, epoch);
        down = false;
        return this;
    }

    /** Takes the primary for dead from now on, until it names another one. */
    void saysItIsDown() {
        down = true;
    }

    /** Answers nothing any more. */
    void fallSilent() {
        silent = true;
    }

    /** Announces the primary that it names. */
    void announce() throws IOException {
        RespWriter out = new RespWriter()
                .command(3)
                .bulk("message")
                .bulk("+switch-master")
                .bulk(NAME + " 127.0.0.1 1 " + word.host + ' ' + word.port);
        for (Wire each : subscribed) {
            each.send(out.bytes(), out.size());
        }
    }

    /** Returns whether a client hears its announcements. */
    boolean isHeard() {
        return !subscribed.isEmpty();
    }

    /** Returns how often it was asked for the primary. */
    int asked() {
        return asked.get();
    }

    /** Ends all connections, and accepts no more. */
    @Override
    public void close() {
        try {
            socket.close();
        } catch (IOException e) {
            throw new AssertionError(e);
        }
        wires.keySet().forEach(Wire::close);
    }

    private void accept() {
        try {
            while (true) {
                Socket accepted = socket.accept();
                SocketWire wire = new SocketWire(accepted, "fake");
                wires.put(wire, true);
                if (socket.isClosed()) {
                    wire.close();
                }
                start(() -> serve(wire));
            }
        } catch (IOException closed) {
            // The test has ended, or the sentinel has.
        }
    }

    private void serve(Wire wire) {
        RespReader reader = new RespReader();
        boolean known = password.isEmpty();
        try (wire) {
            while (reader.fill(wire, PATIENCE_NANOS)) {
                for (Object next = reader.next(); next != null; next = reader.next()) {
                    List<String> words =
                            ((List<?>) next).stream().map(RespReader::text).toList();
                    known |= words.get(0).equals("AUTH")
                            && words.get(words.size() - 1).equals(password);
                    RespWriter out = known ? answer(words, wire) : error("NOAUTH Authentication required.");
                    if (!silent) {
                        wire.send(out.bytes(), out.size());
                    }
                }
            }
        } catch (IOException closed) {
            // The client has left, or the sentinel is closed.
        } finally {
            wires.remove(wire);
            subscribed.remove(wire);
        }
    }

    private static RespWriter error(String message) {
        return new RespWriter().raw(Keys.bytes("-" + message + "\r\n"));
    }

    private RespWriter answer(List<String> words, Wire wire) {
        switch (words.get(0)) {
            case "INFO":
                return new RespWriter().bulk("run_id:fake\r\nredis_version:7.0.15\r\nredis_mode:sentinel\r\n");
            case "SUBSCRIBE":
                subscribed.add(wire);
                return new RespWriter()
                        .command(3)
                        .bulk("subscribe")
                        .bulk(words.get(1))
                        .bulk(1);
            case "SENTINEL":
                return sentinel(words);
            default:
                return new RespWriter().bulk("OK");
        }
    }

    private RespWriter sentinel(List<String> words) {
        if (words.get(1).equals("MASTERS")) {
            return new RespWriter()
                    .command(2)
                    .command(2)
                    .bulk("name")
                    .bulk(NAME)
                    .command(2)
                    .bulk("name")
                    .bulk("other");
        }
        asked.incrementAndGet();
        if (!words.get(2).equals(NAME)) {
            return error("ERR No such master with that name");
        }
        Word now = word;
        return new RespWriter()
                .command(12)
                .bulk("flags")
                .bulk(down ? "s_down,o_down,master" : "master")
                .bulk("ip")
                .bulk(now.host)
                .bulk("port")
                .bulk(Integer.toString(now.port))
                .bulk("config-epoch")
                .bulk(Long.toString(now.epoch))
                .bulk("num-slaves")
                .bulk("2")
                .bulk("num-other-sentinels")
                .bulk("2");
    }
}
