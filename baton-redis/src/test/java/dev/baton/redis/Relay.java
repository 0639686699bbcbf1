package dev.baton.redis;

import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;

/** A listener on this machine that connects each of its clients with one server on this machine. */
final class Relay implements AutoCloseable {
    /** What clients say first, which the server does not see. */
    interface Greeting {
        Greeting NONE = client -> {};

        void take(Socket client) throws IOException;
    }

    /** How bytes get from one side to the other, until there are no more. */
    interface Passing {
        void pass(InputStream from, OutputStream to) throws IOException;
    }

    private interface Action {
        void run() throws IOException;
    }

    private final ServerSocket listener = new ServerSocket(0, 50, InetAddress.getLoopbackAddress());
    private final Queue<Socket> sockets = new ConcurrentLinkedQueue<>();
    private final int server;
    private final Greeting greeting;
    private final Passing toServer;
    private final Passing toClient;

    private Relay(int server, Greeting greeting, Passing toServer, Passing toClient) throws IOException {
        this.server = server;
        this.greeting = greeting;
        this.toServer = toServer;
        this.toClient = toClient;
    }

    /** Starts a relay to a port of this machine. */
    static Relay to(int server, Greeting greeting, Passing toServer, Passing toClient) throws IOException {
        Relay relay = new Relay(server, greeting, toServer, toClient);
        start(relay::accept);
        return relay;
    }

    int port() {
        return listener.getLocalPort();
    }

    /** Returns how many connections it has accepted. */
    int connections() {
        return sockets.size() / 2;
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

    private void accept() throws IOException {
        while (true) {
            Socket client = listener.accept();
            start(() -> serve(client));
        }
    }

    private void serve(Socket client) throws IOException {
        Socket end = connected(client);
        sockets.add(client);
        sockets.add(end);
        greeting.take(client);
        start(() -> pass(end, client, toClient));
        pass(client, end, toServer);
    }

    /** Connects with the server. If it is away, its client learns so. */
    private Socket connected(Socket client) throws IOException {
        try {
            return new Socket("127.0.0.1", server);
        } catch (IOException e) {
            client.close();
            throw e;
        }
    }

    private static void pass(Socket from, Socket to, Passing passing) throws IOException {
        try (from;
                to) {
            passing.pass(from.getInputStream(), to.getOutputStream());
        }
    }

    @Override
    public void close() {
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
