package dev.baton.redis;

import dev.baton.spi.Protocol;
import dev.baton.spi.Push;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import org.jspecify.annotations.Nullable;

/**
 * Reads the messages on a client's channel. Other publishers than Baton's scripts may use it, so nothing about a
 * message is certain; a message that cannot be a push is ignored, and does no harm.
 */
final class PushReader {
    private static final int NUMBERS = 4 * Double.BYTES;
    private static final int NAME_AT = NUMBERS + Long.BYTES + Answer.RUN_ID_LENGTH;

    /** No push is larger. */
    static final int MOST_BYTES = NAME_AT + Protocol.MAX_NAME_BYTES;

    private static final double TOO_LARGE = 1L << 53;

    private PushReader() {}

    /**
     * Reads attempt, token, deadline and time in the scripts' number format, the ticket's secret, the server's identity
     * and the name.
     *
     * @return null for anything else
     */
    static @Nullable Push read(byte[] raw) {
        if (raw.length < NAME_AT || raw.length > MOST_BYTES) {
            return null;
        }
        ByteBuffer bytes = ByteBuffer.wrap(raw).order(ByteOrder.LITTLE_ENDIAN);
        for (int at = 0; at < NUMBERS; at += Double.BYTES) {
            double number = bytes.getDouble(at);
            // Not-a-number fails every comparison.
            if (!(number >= 0 && number < TOO_LARGE && number == Math.rint(number))) {
                return null;
            }
        }
        return new Push(
                // Bytes that are no text become a name that no caller waits for.
                new String(raw, NAME_AT, raw.length - NAME_AT, StandardCharsets.UTF_8),
                (long) bytes.getDouble(0),
                (long) bytes.getDouble(Double.BYTES),
                (long) bytes.getDouble(2 * Double.BYTES),
                (long) bytes.getDouble(3 * Double.BYTES),
                new String(raw, NUMBERS + Long.BYTES, Answer.RUN_ID_LENGTH, StandardCharsets.UTF_8),
                bytes.getLong(NUMBERS));
    }
}
