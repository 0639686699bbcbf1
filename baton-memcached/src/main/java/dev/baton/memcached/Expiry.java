package dev.baton.memcached;

/** Decides when an item is over. Immutable. */
interface Expiry {
    /** The item that was found, with the times by which this client may go. */
    Item alive(Item.Read read, long now);

    /** The second of the server's clock at which an item ends that replaces what was found. */
    long end(Session session, Item item, Items.Found found, long now);
}
