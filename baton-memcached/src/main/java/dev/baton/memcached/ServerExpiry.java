package dev.baton.memcached;

import dev.baton.spi.ResourceView.Hold;

/**
 * The server ends items. An existing item is alive, even if a client's clock says otherwise; only the client that wrote
 * a deadline may find it passed, because it uses the same clock as when writing. Immutable.
 */
final class ServerExpiry implements Expiry {
    private final String client;

    ServerExpiry(String client) {
        this.client = client;
    }

    @Override
    public Item alive(Item.Read read, long now) {
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

    @Override
    public long end(Session session, Item item, Found found, long now) {
        Hold hold = item.hold();
        // Another client's hold keeps its end: its deadline uses that client's clock.
        boolean others = hold != null && !hold.client().equals(client);
        return others ? found.endSeconds() : session.endAfter(Math.max(0, item.overMicros() - now));
    }
}
