package dev.baton.servers;

import java.io.BufferedInputStream;
import java.io.BufferedOutputStream;
import java.io.ByteArrayOutputStream;
import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLParameters;
import javax.net.ssl.SSLSocket;
import org.jspecify.annotations.Nullable;

/** A connection that speaks RESP2, one command after the other. Every wait has a time limit. Not thread-safe. */
final class RespConnection implements AutoCloseable {
    private final Socket socket;
    private final InputStream in;
    private final OutputStream out;

    private RespConnection(Socket socket) throws IOException {
        this.socket = socket;
        this.in = new BufferedInputStream(socket.getInputStream());
        this.out = new BufferedOutputStream(socket.getOutputStream());
    }

    /**
     * Opens a connection.
     *
     * @param tls the certificates to trust, or null for plain text
     * @param limitMillis the time limit of each wait
     */
    static RespConnection open(String host, int port, @Nullable SSLContext tls, int limitMillis) throws IOException {
        Socket plain = new Socket();
        try {
            plain.setSoTimeout(limitMillis);
            plain.setTcpNoDelay(true);
            plain.connect(new InetSocketAddress(host, port), limitMillis);
            return new RespConnection(tls == null ? plain : secure(plain, tls, host, port));
        } catch (IOException | RuntimeException e) {
            plain.close();
            throw e;
        }
    }

    private static Socket secure(Socket plain, SSLContext tls, String host, int port) throws IOException {
        SSLSocket socket = (SSLSocket) tls.getSocketFactory().createSocket(plain, host, port, true);
        SSLParameters parameters = socket.getSSLParameters();
        parameters.setEndpointIdentificationAlgorithm("HTTPS");
        socket.setSSLParameters(parameters);
        socket.startHandshake();
        return socket;
    }

    /**
     * Sends one command and waits for its reply.
     *
     * @return a String, a Long, a List of such, or null
     * @throws RedisErrorReply if the reply is or contains an error
     */
    @Nullable
    Object call(String... words) throws IOException {
        line("*" + words.length);
        for (String word : words) {
            byte[] bytes = word.getBytes(StandardCharsets.UTF_8);
            line("$" + bytes.length);
            out.write(bytes);
            line("");
        }
        out.flush();
        return reply();
    }

    private void line(String text) throws IOException {
        out.write((text + "\r\n").getBytes(StandardCharsets.US_ASCII));
    }

    private @Nullable Object reply() throws IOException {
        int kind = read();
        String line = readLine();
        return switch (kind) {
            case '+' -> line;
            case '-' -> throw new RedisErrorReply(line);
            case ':' -> Long.valueOf(line);
            case '$' -> bulk(Integer.parseInt(line));
            case '*' -> array(Integer.parseInt(line));
            default -> throw new IOException("not RESP2: " + (char) kind + line);
        };
    }

    private @Nullable String bulk(int length) throws IOException {
        if (length < 0) {
            return null;
        }
        byte[] bytes = in.readNBytes(length);
        if (bytes.length < length) {
            throw new EOFException("the server closed the connection");
        }
        readLine();
        return new String(bytes, StandardCharsets.UTF_8);
    }

    private @Nullable List<@Nullable Object> array(int length) throws IOException {
        if (length < 0) {
            return null;
        }
        List<@Nullable Object> replies = new ArrayList<>();
        for (int i = 0; i < length; i++) {
            replies.add(reply());
        }
        return replies;
    }

    private String readLine() throws IOException {
        ByteArrayOutputStream line = new ByteArrayOutputStream();
        for (int next = read(); next != '\r'; next = read()) {
            line.write(next);
        }
        read();
        return line.toString(StandardCharsets.UTF_8);
    }

    private int read() throws IOException {
        int next = in.read();
        if (next < 0) {
            throw new EOFException("the server closed the connection");
        }
        return next;
    }

    @Override
    public void close() throws IOException {
        socket.close();
    }
}
