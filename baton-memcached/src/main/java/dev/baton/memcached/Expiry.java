package dev.baton.memcached;

/** Decides when an item is over. Immutable. */
interface Expiry {
    /** Returns the item that was read, with the times that this client may rely on. */
    Item alive(Item.Read read, long now);

    /** Returns the second of the server's clock at which a replacement for the item that was found ends. */
    long end(Session session, Item item, Found found, long now);
}
