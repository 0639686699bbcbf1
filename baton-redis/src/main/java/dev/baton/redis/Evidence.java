package dev.baton.redis;

import dev.baton.spi.Grace;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * What a bucket records of the server that keeps it, as {@code evidence.lua} writes it.
 *
 * @param runId the process
 * @param untilMicros end of the last grace period
 * @param why why that began
 */
record Evidence(String runId, long untilMicros, char why) {
    private static final int UNTIL_AT = 2 * Answer.RUN_ID_LENGTH;
    private static final int WHY_AT = UNTIL_AT + Double.BYTES;

    /** Reads it; null if there is none. */
    static @Nullable Evidence read(Object value) {
        if (!(value instanceof byte[] raw) || raw.length != WHY_AT + 1) {
            return null;
        }
        return new Evidence(
                new String(raw, 0, Answer.RUN_ID_LENGTH, StandardCharsets.US_ASCII),
                (long) ByteBuffer.wrap(raw).order(ByteOrder.LITTLE_ENDIAN).getDouble(UNTIL_AT),
                (char) raw[WHY_AT]);
    }

    private String reason() {
        return switch (why) {
            case '2' -> "another server process answers than before: a restart or a failover";
            case '3' -> "the server was a replica in between: a failover and back";
            default -> "the server does not have what it had: its data was lost or deleted";
        };
    }

    /**
     * Returns the grace period that lasts longest.
     *
     * @param buckets the evidence of all buckets
     * @param nowMicros the server's clock
     */
    static Optional<Grace> longest(List<Evidence> buckets, long nowMicros) {
        List<Evidence> on =
                buckets.stream().filter(each -> each.untilMicros > nowMicros).toList();
        return on.stream()
                .max((a, b) -> Long.compare(a.untilMicros, b.untilMicros))
                .map(last -> new Grace(last.untilMicros - nowMicros, last.reason(), on.size()));
    }
}
