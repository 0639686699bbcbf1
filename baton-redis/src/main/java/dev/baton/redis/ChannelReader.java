package dev.baton.redis;

import java.io.IOException;
import java.util.List;

/** Subscribes to channels, and reads its messages until the connection breaks or falls silent. */
final class ChannelReader {
    /** Takes what arrives; all on the reading thread. */
    interface Listener {
        /** Returns whether to stop; it is asked after each message and each idle time. */
        boolean isClosed();

        /** Handles a message, or the confirmation of a subscription. */
        void onMessage(Object message) throws IOException;

        /** Called if nothing has arrived for an idle time. */
        default void onIdle() {}
    }

    private ChannelReader() {}

    /** Returns the command that subscribes to channels. */
    static RespWriter subscribing(String command, List<String> channels) {
        RespWriter subscribe = new RespWriter().command(1 + channels.size()).bulk(command);
        channels.forEach(subscribe::bulk);
        return subscribe;
    }

    /**
     * Reads until the listener is closed.
     *
     * @param subscribe the commands that subscribe
     * @param idleNanos how long nothing may arrive before the server is asked for a sign of life, and how long that may
     *     take
     * @throws IOException if the connection breaks or the server is silent
     */
    static void read(Wire wire, RespWriter subscribe, long idleNanos, Listener listener) throws IOException {
        RespReader reader = new RespReader(PushReader.MOST_BYTES);
        send(wire, subscribe);
        boolean pinged = false;
        while (!listener.isClosed()) {
            if (reader.fill(wire, idleNanos)) {
                pinged = false;
            } else if (pinged) {
                throw new IOException("the server is silent");
            } else {
                send(wire, new RespWriter().command(1).bulk("PING"));
                pinged = true;
                listener.onIdle();
            }
            for (Object message = reader.next(); message != null; message = reader.next()) {
                listener.onMessage(message);
            }
        }
    }

    private static void send(Wire wire, RespWriter out) throws IOException {
        wire.send(out.bytes(), out.size());
    }
}
