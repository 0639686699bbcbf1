package dev.baton.spi;

import java.time.Duration;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * The settings that all clients of a namespace must share, as its first client recorded them.
 *
 * @param oldestProtocol the oldest protocol version that may share the namespace
 * @param newestProtocol the newest protocol version that may share it
 * @param buckets number of buckets
 * @param graceMicros G, the grace period
 * @param claimMicros how long a hand-off stands before its first heartbeat
 * @param presenceMicros how long a ticket stays without a heartbeat
 * @param namespaceId the namespace's identity: 128 random bits in 32 hexadecimal digits. Groups of locks of several
 *     namespaces are ordered by it
 * @since 0.1
 */
public record Agreement(
        int oldestProtocol,
        int newestProtocol,
        int buckets,
        long graceMicros,
        long claimMicros,
        long presenceMicros,
        String namespaceId) {
    private static final Pattern PROTOCOLS = Pattern.compile("(\\d{1,9})(?:-(\\d{1,9}))?");

    private static final Pattern TEXT = Pattern.compile(
            "baton protocol=([\\d-]{1,19}) buckets=(\\d{1,9}) grace=(\\d{1,18}) claim=(\\d{1,18}) presence=(\\d{1,18})"
                    + "(?: id=(\\S+))?");

    private static final Pattern ID = Pattern.compile("[0-9a-f]{32}");

    /**
     * Creates an agreement for one protocol version.
     *
     * @param protocol protocol version
     * @param buckets number of buckets
     * @param graceMicros G, the grace period
     * @param claimMicros how long a hand-off stands before its first heartbeat
     * @param presenceMicros how long a ticket stays without a heartbeat
     * @param namespaceId the namespace's identity
     */
    public Agreement(
            int protocol, int buckets, long graceMicros, long claimMicros, long presenceMicros, String namespaceId) {
        this(protocol, protocol, buckets, graceMicros, claimMicros, presenceMicros, namespaceId);
    }

    /**
     * Returns the agreement that this client would record, with a fresh identity for the namespace. A store records it
     * only if there is none yet, and all clients, also the one that recorded it, go by the recorded one.
     *
     * @param timings the client's times
     * @return the agreement
     * @throws ArithmeticException if a time is longer than 292 years
     */
    public static Agreement of(Timings timings) {
        return of(timings, Protocol.VERSION, Protocol.VERSION);
    }

    /**
     * Returns the agreement that this client would record on a store whose format has versions of its own.
     *
     * @param timings the client's times
     * @param oldestProtocol the oldest version that this client can share a namespace with
     * @param newestProtocol the version that this client speaks
     * @return the agreement
     * @throws ArithmeticException if a time is longer than 292 years
     */
    public static Agreement of(Timings timings, int oldestProtocol, int newestProtocol) {
        return new Agreement(
                oldestProtocol,
                newestProtocol,
                Protocol.BUCKETS,
                timings.graceMicros(),
                timings.claimMicros(),
                timings.presenceMicros(),
                Protocol.newId());
    }

    /**
     * Returns this agreement for a namespace whose identity is known.
     *
     * @param id the namespace's identity
     * @return the agreement
     */
    public Agreement withNamespaceId(String id) {
        return new Agreement(oldestProtocol, newestProtocol, buckets, graceMicros, claimMicros, presenceMicros, id);
    }

    /**
     * Returns an agreement from its recorded parts.
     *
     * @param protocols the versions, as {@link #protocols} made it
     * @param buckets number of buckets
     * @param graceMicros G
     * @param claimMicros the claim window
     * @param presenceMicros the presence of tickets
     * @param namespaceId the namespace's identity
     * @param where the place that was read, for the message
     * @return the agreement
     * @throws StoreFailure with {@link StoreFailure.Reason#UNFIT} if the versions are none, or the identity is none
     */
    public static Agreement of(
            String protocols,
            int buckets,
            long graceMicros,
            long claimMicros,
            long presenceMicros,
            String namespaceId,
            String where)
            throws StoreFailure {
        Matcher versions = PROTOCOLS.matcher(protocols);
        if (!versions.matches() || !ID.matcher(namespaceId).matches()) {
            throw noDescriptor(where);
        }
        int oldest = Integer.parseInt(versions.group(1));
        int newest = versions.group(2) == null ? oldest : Integer.parseInt(versions.group(2));
        return new Agreement(oldest, newest, buckets, graceMicros, claimMicros, presenceMicros, namespaceId);
    }

    private static StoreFailure noDescriptor(String where) {
        return unfit(where + " is not a descriptor of Baton's: use another namespace");
    }

    private static StoreFailure unfit(String message) {
        return new StoreFailure(StoreFailure.Effect.NONE, StoreFailure.Reason.UNFIT, message, null);
    }

    /**
     * Returns the versions that may share the namespace.
     *
     * @return one number, or the oldest and the newest with a hyphen between them
     */
    public String protocols() {
        return oldestProtocol == newestProtocol
                ? Integer.toString(oldestProtocol)
                : oldestProtocol + "-" + newestProtocol;
    }

    /**
     * Returns the agreement as text, for stores that record it in one value.
     *
     * @return text that {@link #parse} reads
     */
    public String text() {
        return "baton protocol=" + protocols() + " buckets=" + buckets + " grace=" + graceMicros + " claim="
                + claimMicros + " presence=" + presenceMicros + " id=" + namespaceId;
    }

    /**
     * Reads an agreement that a store recorded.
     *
     * @param recorded the text, as {@link #text} made it
     * @param where the place that was read, for the message
     * @return the agreement
     * @throws StoreFailure with {@link StoreFailure.Reason#UNFIT} if the text is not an agreement, or
     *     has no identity of the namespace
     */
    public static Agreement parse(String recorded, String where) throws StoreFailure {
        Matcher text = TEXT.matcher(recorded);
        if (!text.matches()) {
            throw noDescriptor(where);
        }
        if (text.group(6) == null) {
            throw unfit(
                    where + " was made by an earlier version of Baton, which gave namespaces no identity: update the"
                            + " clients that made it, and begin with another namespace");
        }
        return of(
                text.group(1),
                Integer.parseInt(text.group(2)),
                Long.parseLong(text.group(3)),
                Long.parseLong(text.group(4)),
                Long.parseLong(text.group(5)),
                text.group(6),
                where);
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
        if (newestProtocol < own.oldestProtocol || oldestProtocol > own.newestProtocol || buckets != own.buckets) {
            String advice = newestProtocol < own.oldestProtocol
                    ? ": update the clients that made it, and begin with another namespace"
                    : ": update Baton here, or use another namespace";
            throw unfit(where + " was made for protocol version " + protocols() + " with " + buckets
                    + " buckets, and this client speaks version " + own.protocols() + " with " + own.buckets
                    + advice + ". Clients of both versions must not lock the same names");
        }
        requireSame(where, "grace", graceMicros, own.graceMicros);
        requireSame(where, "claimWindow", claimMicros, own.claimMicros);
        requireSame(where, "presence", presenceMicros, own.presenceMicros);
    }

    private static void requireSame(String where, String what, long recorded, long own) throws StoreFailure {
        if (recorded != own) {
            throw unfit(where + " was made with " + what + "=" + duration(recorded) + ", but this client has " + what
                    + "=" + duration(own) + ": use the same timings in all clients, or another namespace");
        }
    }

    private static Duration duration(long micros) {
        return Duration.ofNanos(micros * 1_000);
    }
}
