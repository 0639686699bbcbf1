package dev.baton.bench;

import dev.baton.bench.jvm.Stopwatch;
import dev.baton.servers.net.TcpProxy;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.time.Duration;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Puts the servers of a run at a distance: a proxy before each of them holds bytes back in both directions. */
final class Remoteness implements AutoCloseable {
    private static final Pattern ONE_SERVER = Pattern.compile("(.*//(?:[^@/]*@)?)([^/:,]+):(\\d+)([^,]*)");
    private static final int ECHOES = 200;

    private final Duration added;
    private final List<TcpProxy> proxies = new ArrayList<>();
    private final Map<Home, String> addresses;
    private Distance distance = Distance.NONE;

    private Remoteness(Map<Home, String> addresses, Duration added) {
        this.addresses = addresses;
        this.added = added;
    }

    /** Leaves servers where they are. */
    static Remoteness none(Map<Home, String> servers) {
        return new Remoteness(servers, Duration.ZERO);
    }

    /**
     * Starts proxies, and measures what they add.
     *
     * @param servers the addresses of the servers
     * @param added the delay of a round trip; zero starts none
     * @throws IllegalArgumentException if an address names several servers, or no port
     */
    static Remoteness of(Map<Home, String> servers, Duration added) throws IOException {
        if (added.isZero()) {
            return none(servers);
        }
        Remoteness remote = new Remoteness(new EnumMap<>(Home.class), added);
        try {
            servers.forEach((home, address) -> remote.addresses.put(home, remote.behind(address)));
            remote.distance = new Distance(added, remote.echo());
            return remote;
        } catch (IOException | RuntimeException failure) {
            remote.close();
            throw failure;
        }
    }

    private String behind(String address) {
        Matcher parts = ONE_SERVER.matcher(address);
        if (!parts.matches()) {
            throw new IllegalArgumentException("--distance needs addresses of one server with its port, unlike this: "
                    + address.replaceAll("//[^@/]*@", "//...@"));
        }
        TcpProxy proxy = proxy(parts.group(2), Integer.parseInt(parts.group(3)));
        return parts.group(1) + proxy.host() + ":" + proxy.port() + parts.group(4);
    }

    private TcpProxy proxy(String host, int port) {
        TcpProxy proxy = TcpProxy.to(host, port);
        proxies.add(proxy);
        delay(proxy, added);
        return proxy;
    }

    /** Returns how long a byte takes to a server that returns it at once, and back, at the median. */
    private Duration echo() throws IOException {
        try (ServerSocket server = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            Thread echoing = new Thread(() -> returnBytes(server), "bench-echo");
            echoing.setDaemon(true);
            echoing.start();
            TcpProxy proxy = proxy(server.getInetAddress().getHostAddress(), server.getLocalPort());
            try (Socket client = new Socket(proxy.host(), proxy.port())) {
                client.setTcpNoDelay(true);
                List<Long> nanos = new ArrayList<>();
                for (int i = 0; i < ECHOES; i++) {
                    Stopwatch watch = Stopwatch.started();
                    client.getOutputStream().write(i);
                    if (client.getInputStream().read() < 0) {
                        throw new IOException("the echo ended");
                    }
                    nanos.add(watch.nanos());
                }
                nanos.sort(null);
                return Duration.ofNanos(nanos.get(ECHOES / 2));
            }
        }
    }

    private static void returnBytes(ServerSocket server) {
        try (Socket socket = server.accept()) {
            socket.setTcpNoDelay(true);
            for (int next = socket.getInputStream().read();
                    next >= 0;
                    next = socket.getInputStream().read()) {
                socket.getOutputStream().write(next);
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static void delay(TcpProxy proxy, Duration ofARoundTrip) {
        proxy.delay(ofARoundTrip.dividedBy(2));
    }

    /**
     * Takes the delay away, for warm-ups: code is compiled after so many runs, which take long at a distance. Measured
     * before it is compiled, the contestant with more code of its own would seem slower than it is in a service.
     */
    void bringNear() {
        proxies.forEach(proxy -> delay(proxy, Duration.ZERO));
    }

    /** Adds the delay again. */
    void moveAway() {
        proxies.forEach(proxy -> delay(proxy, added));
    }

    /** Returns the addresses at which the servers are found at this distance. */
    Map<Home, String> addresses() {
        return addresses;
    }

    Distance distance() {
        return distance;
    }

    @Override
    public void close() {
        proxies.forEach(TcpProxy::close);
    }
}
