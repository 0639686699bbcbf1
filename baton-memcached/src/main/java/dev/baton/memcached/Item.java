package dev.baton.memcached;

import dev.baton.spi.Resource;
import dev.baton.spi.ResourceState;
import dev.baton.spi.ResourceView.Hold;
import dev.baton.spi.StoreFailure;
import dev.baton.spi.StoreFailure.Effect;
import dev.baton.spi.StoreFailure.Reason;
import dev.baton.spi.Timings;
import java.net.URLDecoder;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * Memcached's record of a lock: its holder, or the end of a lock-delay. Immutable.
 *
 * <p>As text, with spaces between: format, client, attempt, token, deadline, how far away that was, the item's own end
 * on the server's clock, lock-delay, 1 if revoked, end of a lock-delay, name, description. A token of 0 means that the
 * version of the item is the token, which is unknown before the item is stored.
 *
 * @param name the lock's name
 * @param hold the holder; null in a lock-delay
 * @param notBeforeMicros end of a lock-delay
 */
record Item(String name, @Nullable Hold hold, long notBeforeMicros) {
    private static final String FORMAT = "1";
    private static final int FIELDS = 12;
    private static final String NOBODY = "-";

    /**
     * An item as it was read.
     *
     * @param item its contents
     * @param lifeMicros how long its hold had to live when it was written
     * @param endSeconds when it ends, on the server's clock
     */
    record Read(Item item, long lifeMicros, long endSeconds) {}

    /** Returns the item that records a state; null if there is nothing to record. */
    static @Nullable Item of(ResourceState state, long nowMicros) {
        if (state.isIdle(nowMicros)) {
            return null;
        }
        List<Hold> holds = state.holds();
        return new Item(state.resource().name(), holds.isEmpty() ? null : holds.get(0), state.notBeforeMicros());
    }

    /** Returns the recorded state. */
    ResourceState state(Timings timings) {
        return new ResourceState(
                Resource.lock(name), timings, notBeforeMicros, hold == null ? List.of() : List.of(hold), List.of());
    }

    /** Returns when nothing in it matters any more. */
    long overMicros() {
        return hold == null
                ? notBeforeMicros
                : Math.max(notBeforeMicros, hold.deadlineMicros() + hold.lockDelayMicros());
    }

    String text(long nowMicros, long endSeconds) {
        Hold holder = hold == null ? new Hold(NOBODY, 0, 1, 0, nowMicros, 0, true, false, "") : hold;
        return Stream.of(
                        FORMAT,
                        holder.client(),
                        holder.attempt(),
                        holder.token(),
                        holder.deadlineMicros(),
                        Math.max(0, holder.deadlineMicros() - nowMicros),
                        endSeconds,
                        holder.lockDelayMicros(),
                        holder.revoked() ? 1 : 0,
                        notBeforeMicros,
                        Keys.encode(name),
                        Keys.encode(holder.description()))
                .map(String::valueOf)
                .collect(Collectors.joining(" "));
    }

    /**
     * Reads an item.
     *
     * @param key its key, as messages show it
     * @param expected the name that it should be of; null if any will do
     * @param casToken the token that its version stands for
     * @throws StoreFailure if it is not Baton's, or of another name
     */
    static Read read(String key, @Nullable String expected, String text, long casToken) throws StoreFailure {
        String[] fields = text.split(" ", -1);
        if (fields.length != FIELDS || !fields[0].equals(FORMAT)) {
            throw notOurs(key, null);
        }
        try {
            String name = decode(fields[10]);
            if (expected != null && !expected.equals(name)) {
                throw new StoreFailure(
                        Effect.NONE,
                        Reason.UNFIT,
                        "the names \"" + expected + "\" and \"" + name + "\" have the same key in Memcached, " + key
                                + ": use shorter names",
                        null);
            }
            Hold hold = fields[1].equals(NOBODY) ? null : hold(fields, casToken);
            return new Read(new Item(name, hold, number(fields[9])), number(fields[5]), number(fields[6]));
        } catch (IllegalArgumentException malformed) {
            throw notOurs(key, malformed);
        }
    }

    private static Hold hold(String[] fields, long casToken) {
        long token = number(fields[3]);
        return new Hold(
                fields[1],
                number(fields[2]),
                1,
                token == 0 ? casToken : token,
                number(fields[4]),
                number(fields[7]),
                true,
                number(fields[8]) == 1,
                decode(fields[11]));
    }

    private static long number(String text) {
        return Long.parseLong(text);
    }

    private static String decode(String text) {
        return URLDecoder.decode(text, StandardCharsets.UTF_8);
    }

    private static StoreFailure notOurs(String key, @Nullable Exception why) {
        return new StoreFailure(
                Effect.NONE,
                Reason.UNFIT,
                "the item " + key + " in Memcached is not Baton's: use another namespace",
                why);
    }
}
