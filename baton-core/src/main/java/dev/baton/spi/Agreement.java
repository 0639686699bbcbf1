package dev.baton.spi;

import java.time.Duration;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * The settings that all clients of a namespace must share, as its first client recorded them.
 *
 * @param protocol protocol version
 * @param buckets number of buckets
 * @param graceMicros G, the grace period
 * @param claimMicros how long a hand-off stands before its first heartbeat
 * @param presenceMicros how long a ticket stays without a heartbeat
 * @since 0.1
 */
public record Agreement(int protocol, int buckets, long graceMicros, long claimMicros, long presenceMicros) {
    private static final Pattern TEXT = Pattern.compile(
            "baton protocol=(\\d{1,9}) buckets=(\\d{1,9}) grace=(\\d{1,18}) claim=(\\d{1,18}) presence=(\\d{1,18})");

    /**
     * Returns the agreement that this client would record.
     *
     * @param timings the client's times
     * @return the agreement
     * @throws ArithmeticException if a time is longer than 292 years
     */
    public static Agreement of(Timings timings) {
        return new Agreement(
                Protocol.VERSION,
                Protocol.BUCKETS,
                timings.graceMicros(),
                timings.claimMicros(),
                timings.presenceMicros());
    }

    /**
     * Returns the agreement as text, for stores that record it in one value.
     *
     * @return text that {@link #parse} reads
     */
    public String text() {
        return "baton protocol=" + protocol + " buckets=" + buckets + " grace=" + graceMicros + " claim=" + claimMicros
                + " presence=" + presenceMicros;
    }

    /**
     * Reads an agreement that a store recorded.
     *
     * @param recorded the text, as {@link #text} made it
     * @param where the place that was read, for the message
     * @return the agreement
     * @throws StoreFailure with {@link StoreFailure.Reason#UNFIT} if the text is not an agreement
     */
    public static Agreement parse(String recorded, String where) throws StoreFailure {
        Matcher text = TEXT.matcher(recorded);
        if (!text.matches()) {
            throw new StoreFailure(
                    StoreFailure.Effect.NONE,
                    StoreFailure.Reason.UNFIT,
                    where + " is not a descriptor of Baton's: use another namespace",
                    null);
        }
        return new Agreement(
                Integer.parseInt(text.group(1)),
                Integer.parseInt(text.group(2)),
                Long.parseLong(text.group(3)),
                Long.parseLong(text.group(4)),
                Long.parseLong(text.group(5)));
    }

    /**
     * Checks that this client can work with this recorded agreement.
     *
     * @param own the agreement that this client would have recorded
     * @param where the namespace and its store, for the message
     * @throws StoreFailure with {@link StoreFailure.Reason#UNFIT} if it cannot; the message names the first difference,
     *     and what to change
     */
    public void require(Agreement own, String where) throws StoreFailure {
        if (protocol != own.protocol || buckets != own.buckets) {
            throw new StoreFailure(
                    StoreFailure.Effect.NONE,
                    StoreFailure.Reason.UNFIT,
                    where + " was made by protocol version " + protocol + " with " + buckets
                            + " buckets, and this client speaks version " + own.protocol + " with " + own.buckets
                            + ": use the same version of Baton everywhere, or another namespace",
                    null);
        }
        requireSame(where, "grace", graceMicros, own.graceMicros);
        requireSame(where, "claimWindow", claimMicros, own.claimMicros);
        requireSame(where, "presence", presenceMicros, own.presenceMicros);
    }

    private static void requireSame(String where, String what, long recorded, long own) throws StoreFailure {
        if (recorded != own) {
            throw new StoreFailure(
                    StoreFailure.Effect.NONE,
                    StoreFailure.Reason.UNFIT,
                    where + " was made with " + what + "=" + duration(recorded) + ", but this client has " + what + "="
                            + duration(own) + ": use the same timings in all clients, or another namespace",
                    null);
        }
    }

    private static Duration duration(long micros) {
        return Duration.ofNanos(micros * 1_000);
    }
}
