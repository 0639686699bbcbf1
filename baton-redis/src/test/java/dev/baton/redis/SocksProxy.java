package dev.baton.redis;

import java.io.DataInputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;

/**
 * A SOCKS proxy by which this JVM reaches all other machines: it answers for each of them with one server on this
 * machine. Addresses of this machine are reached without it.
 */
final class SocksProxy implements AutoCloseable {
    private static final String HOST = "socksProxyHost";
    private static final String PORT = "socksProxyPort";
    private static final byte[] NO_LOGIN = {5, 0};
    private static final byte[] CONNECTED = {5, 0, 0, 1, 0, 0, 0, 0, 0, 0};

    /** Version, command, a zero, the kind of address, an address of IPv4, a port. */
    private static final int REQUEST_BYTES = 10;

    private final ServerSocket listener;
    private final int port;
    private final Queue<Socket> sockets = new ConcurrentLinkedQueue<>();

    private SocksProxy(int port) throws IOException {
        this.port = port;
        listener = new ServerSocket(0, 50, InetAddress.getLoopbackAddress());
    }

    /** Starts a proxy to a server on this machine. */
    static SocksProxy to(int port) throws IOException {
        SocksProxy proxy = new SocksProxy(port);
        start(proxy::accept);
        System.setProperty(HOST, "127.0.0.1");
        System.setProperty(PORT, Integer.toString(proxy.listener.getLocalPort()));
        return proxy;
    }

    private interface Action {
        void run() throws IOException;
    }

    private static void start(Action action) {
        Thread thread = new Thread(() -> {
            try {
                action.run();
            } catch (IOException e) {
                // One of the two ends has closed the connection.
            }
        });
        thread.setDaemon(true);
        thread.start();
    }

    /** Returns how many connections it has accepted. */
    int connections() {
        return sockets.size() / 2;
    }

    private void accept() throws IOException {
        while (true) {
            Socket client = listener.accept();
            start(() -> serve(client));
        }
    }

    private void serve(Socket client) throws IOException {
        Socket server = new Socket("127.0.0.1", port);
        sockets.add(client);
        sockets.add(server);
        DataInputStream in = new DataInputStream(client.getInputStream());
        OutputStream out = client.getOutputStream();
        in.readByte();
        in.readFully(new byte[in.readUnsignedByte()]);
        out.write(NO_LOGIN);
        in.readFully(new byte[REQUEST_BYTES]);
        out.write(CONNECTED);
        start(() -> pass(server, client));
        pass(client, server);
    }

    private static void pass(Socket from, Socket to) throws IOException {
        try (from;
                to) {
            from.getInputStream().transferTo(to.getOutputStream());
        }
    }

    @Override
    public void close() {
        System.clearProperty(HOST);
        System.clearProperty(PORT);
        try {
            listener.close();
            for (Socket each : sockets) {
                each.close();
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
