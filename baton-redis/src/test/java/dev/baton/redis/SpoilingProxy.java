package dev.baton.redis;

import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;

/**
 * A proxy that hides a part of a server, as managed services do: it replaces the last byte of a text by an exclamation
 * mark, each time that the text passes, so that the other side does not find it.
 */
final class SpoilingProxy implements AutoCloseable {
    private final Relay relay;

    private SpoilingProxy(Relay relay) {
        this.relay = relay;
    }

    /** Starts a proxy that spoils what clients send; the text must not begin again inside itself. */
    static SpoilingProxy ofRequests(int port, String text) throws IOException {
        return new SpoilingProxy(Relay.to(port, Relay.Greeting.NONE, spoiling(text), InputStream::transferTo));
    }

    /** Starts a proxy that spoils what the server answers. */
    static SpoilingProxy ofAnswers(int port, String text) throws IOException {
        return new SpoilingProxy(Relay.to(port, Relay.Greeting.NONE, InputStream::transferTo, spoiling(text)));
    }

    String host() {
        return "127.0.0.1:" + relay.port();
    }

    private static Relay.Passing spoiling(String text) {
        byte[] bytes = text.getBytes(StandardCharsets.UTF_8);
        return (from, to) -> pass(from, to, bytes);
    }

    private static void pass(InputStream from, OutputStream to, byte[] text) throws IOException {
        byte[] piece = new byte[64 * 1024];
        int matched = 0;
        for (int count = from.read(piece); count >= 0; count = from.read(piece)) {
            for (int i = 0; i < count; i++) {
                matched = piece[i] == text[matched] ? matched + 1 : piece[i] == text[0] ? 1 : 0;
                if (matched == text.length) {
                    piece[i] = '!';
                    matched = 0;
                }
            }
            to.write(piece, 0, count);
        }
    }

    @Override
    public void close() {
        relay.close();
    }
}
