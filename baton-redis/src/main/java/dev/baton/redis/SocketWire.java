package dev.baton.redis;

import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.Socket;
import java.net.SocketTimeoutException;

/**
 * An open socket, with TLS or without. A read that times out loses nothing, not even in the middle of a TLS record.
 *
 * <p>Must not be used on a virtual thread: the JDK closes the socket under an interrupted one.
 */
final class SocketWire implements Wire {
    private static final long NANOS_PER_MILLI = 1_000_000;

    private final Socket socket;
    private final InputStream in;
    private final OutputStream out;
    private final String runId;
    private int timeoutMillis = -1;

    SocketWire(Socket socket, String runId) throws IOException {
        this.socket = socket;
        this.in = socket.getInputStream();
        this.out = socket.getOutputStream();
        this.runId = runId;
    }

    @Override
    public void send(byte[] bytes, int length) throws IOException {
        out.write(bytes, 0, length);
        out.flush();
    }

    @Override
    public int receive(byte[] into, int offset, int length, long nanos) throws IOException {
        // 0 would mean forever.
        int millis = (int) Math.max(1, Math.min(Integer.MAX_VALUE, (nanos + NANOS_PER_MILLI - 1) / NANOS_PER_MILLI));
        if (millis != timeoutMillis) {
            socket.setSoTimeout(millis);
            timeoutMillis = millis;
        }
        try {
            int count = in.read(into, offset, length);
            if (count < 0) {
                throw new EOFException("the server closed the connection");
            }
            return count;
        } catch (SocketTimeoutException nothingCame) {
            return 0;
        }
    }

    @Override
    public String runId() {
        return runId;
    }

    @Override
    public void close() {
        try {
            socket.close();
        } catch (IOException e) {
            // The socket is useless either way.
        }
    }
}
