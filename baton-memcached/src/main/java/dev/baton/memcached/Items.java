package dev.baton.memcached;

import dev.baton.spi.ResourceState;
import dev.baton.spi.Stamp;
import dev.baton.spi.StoreFailure;
import dev.baton.spi.Timings;
import java.io.IOException;
import java.util.Objects;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/** Reads items and writes them back; {@link Expiry} decides which of them are alive, and when they end. Immutable. */
final class Items {
    /** A year: Memcached counts seconds in 31 bits, from 1970. */
    static final long MAX_MICROS = TimeUnit.DAYS.toMicros(365);

    private final Timings timings;
    private final Expiry expiry;

    Items(Timings timings, Expiry expiry) {
        this.timings = timings;
        this.expiry = expiry;
    }

    /** Reads the answer to a {@link Commands#get}. */
    Found found(Session session, String key, @Nullable String name, Reply reply, Stamp stamp)
            throws StoreFailure, IOException {
        String value = reply.value();
        if (!reply.isFound() || value == null) {
            return Found.NOTHING;
        }
        Item.Read read = Item.read(key, name, value, session.tokenOf(reply.cas()));
        return new Found(expiry.alive(read, stamp.nowMicros()), reply.cas(), read.endSeconds());
    }

    ResourceState state(String name, Found found) {
        Item item = found.item();
        return state(item == null ? new Item(name, null, 0) : item);
    }

    ResourceState state(Item item) {
        return item.state(timings);
    }

    /** Returns the command that adds a hold if there is no item. */
    String add(Session session, String key, Item item, Stamp stamp) {
        long end = expiry.end(session, item, Found.NOTHING, stamp.nowMicros());
        return Commands.add(key, item.text(stamp.nowMicros(), end), end);
    }

    /** Returns the command that changes the item that was found into another state; null if there is nothing to do. */
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
        long end = expiry.end(session, next, found, now);
        return Commands.replace(key, next.text(now, end), end, found.cas());
    }
}
