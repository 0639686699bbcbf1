package dev.baton.redis;

import java.io.DataInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.Socket;

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

    private final Relay relay;

    private SocksProxy(Relay relay) {
        this.relay = relay;
    }

    /** Starts a proxy to a server on this machine. */
    static SocksProxy to(int port) throws IOException {
        Relay relay = Relay.to(port, SocksProxy::greet, InputStream::transferTo, InputStream::transferTo);
        System.setProperty(HOST, "127.0.0.1");
        System.setProperty(PORT, Integer.toString(relay.port()));
        return new SocksProxy(relay);
    }

    private static void greet(Socket client) throws IOException {
        DataInputStream in = new DataInputStream(client.getInputStream());
        OutputStream out = client.getOutputStream();
        in.readByte();
        in.readFully(new byte[in.readUnsignedByte()]);
        out.write(NO_LOGIN);
        in.readFully(new byte[REQUEST_BYTES]);
        out.write(CONNECTED);
    }

    /** Returns how many connections it has accepted. */
    int connections() {
        return relay.connections();
    }

    @Override
    public void close() {
        System.clearProperty(HOST);
        System.clearProperty(PORT);
        relay.close();
    }
}
