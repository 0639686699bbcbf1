package dev.baton.spi;

import java.time.Duration;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * What all clients of a namespace have to agree on, as its first client recorded it.
 *
 * @param protocol protocol version
 * @param buckets number of buckets
 * @param graceMicros G
 * @param claimMicros the claim window
 * @param presenceMicros the presence of a ticket
 * @since 0.1
 */
public record Agreement(int protocol, int buckets, long graceMicros, long claimMicros, long presenceMicros) {
    private static final Pattern TEXT = Pattern.compile(
            "baton protocol=(\\d{1,9}) buckets=(\\d{1,9}) grace=(\\d{1,18}) claim=(\\d{1,18}) presence=(\\d{1,18})");

    /**
     * What this client would record.
     *
     * @param timings the times it was told
     * @return the agreement
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
     * As text, for stores that record it in one value.
     *
     * @return what {@link #parse} reads
     */
    public String text() {
        return "baton protocol=" + protocol + " buckets=" + buckets + " grace=" + graceMicros + " claim=" + claimMicros
                + " presence=" + presenceMicros;
    }

    /**
     * Reads a text.
     *
     * @param recorded what {@link #text} wrote
     * @param where what was read, for people
     * @return the agreement
     * @throws StoreFailure if it is none
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
     * Refuses a recorded agreement that this client cannot work with.
     *
     * @param own what this client would have recorded
     * @param where the namespace and its store, for people
     * @throws StoreFailure naming the first difference, and what to change
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
