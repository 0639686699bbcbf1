package dev.baton.memcached;

import dev.baton.spi.ResourceState;
import dev.baton.spi.ResourceView.Hold;
import dev.baton.spi.Stamp;
import dev.baton.spi.StoreFailure;
import dev.baton.spi.Timings;
import java.io.IOException;
import java.util.Objects;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * Reads items and writes them back: the one place that knows how an item's end follows from its deadline. Immutable.
 *
 * <p>Where the server keeps time, an item that is there is alive, whatever a client's clock says of it; only the client that
 * wrote a deadline may find it passed, because it goes by the clock that it wrote it by. Where a test moves time, deadlines
 * alone decide, and items stay until they are found over.
 */
final class Items {
    /** A year: Memcached counts seconds in 31 bits, from 1970. */
    static final long MAX_MICROS = TimeUnit.DAYS.toMicros(365);

    /** Longer than any test. */
    private static final long TEST_MICROS = TimeUnit.DAYS.toMicros(1);

    /**
     * A name's item as it was found.
     *
     * @param item null where there is none
     * @param cas its version
     * @param endSeconds when it ends
     */
    record Found(@Nullable Item item, long cas, long endSeconds) {
        static final Found NOTHING = new Found(null, 0, 0);
    }

    private final String client;
    private final Timings timings;
    private final boolean timeIsMovedByHand;

    Items(String client, Timings timings, boolean timeIsMovedByHand) {
        this.client = client;
        this.timings = timings;
        this.timeIsMovedByHand = timeIsMovedByHand;
    }

    /** Reads the answer to a {@link Commands#get}. */
    Found found(Session session, String key, @Nullable String name, Reply reply, Stamp stamp)
            throws StoreFailure, IOException {
        String value = reply.value();
        if (!reply.isFound() || value == null) {
            return Found.NOTHING;
        }
        Item.Read read = Item.read(key, name, value, session.tokenOf(reply.cas()));
        Item item = timeIsMovedByHand ? read.item() : alive(read, stamp.nowMicros());
        return new Found(item, reply.cas(), read.endSeconds());
    }

    private Item alive(Item.Read read, long now) {
        Item item = read.item();
        Hold hold = item.hold();
        if (hold == null) {
            return new Item(item.name(), null, Math.max(item.notBeforeMicros(), now + 1));
        }
        if (hold.client().equals(client)) {
            return item;
        }
        long latest = now + Math.max(1, read.lifeMicros());
        return new Item(
                item.name(),
                new Hold(
                        hold.client(),
                        hold.attempt(),
                        hold.weight(),
                        hold.token(),
                        Math.max(now + 1, Math.min(hold.deadlineMicros(), latest)),
                        hold.lockDelayMicros(),
                        hold.claimed(),
                        hold.revoked(),
                        hold.description()),
                item.notBeforeMicros());
    }

    ResourceState state(String name, Found found) {
        Item item = found.item();
        return state(item == null ? new Item(name, null, 0) : item);
    }

    ResourceState state(Item item) {
        return item.state(timings);
    }

    /** The command that adds a hold where nothing is. */
    String add(Session session, String key, Item item, Stamp stamp) {
        long end = end(session, item, Found.NOTHING, stamp.nowMicros());
        return Commands.add(key, item.text(stamp.nowMicros(), end), end);
    }

    /** The command that turns what was found into another state; null where there is nothing to do. */
    @Nullable
    String change(Session session, String key, Found found, ResourceState state, Stamp stamp) {
        long now = stamp.nowMicros();
        Item next = Item.of(state, now);
        if (Objects.equals(found.item(), next)) {
            return null;
        }
        if (next == null) {
            return Commands.delete(key, found.cas());
        }
        if (found.item() == null) {
            return add(session, key, next, stamp);
        }
        long end = end(session, next, found, now);
        return Commands.replace(key, next.text(now, end), end, found.cas());
    }

    private long end(Session session, Item item, Found found, long now) {
        if (timeIsMovedByHand) {
            return session.endAfter(TEST_MICROS);
        }
        Hold hold = item.hold();
        // Another client's hold keeps its end: its deadline is by that client's clock.
        boolean others = hold != null && !hold.client().equals(client);
        return others ? found.endSeconds() : session.endAfter(Math.max(0, item.overMicros() - now));
    }
}
