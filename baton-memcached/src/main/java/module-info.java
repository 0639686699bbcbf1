/** Locks in Memcached, best effort. */
module dev.baton.memcached {
    requires transitive dev.baton;
    requires static org.jspecify;

    exports dev.baton.memcached;

    provides dev.baton.spi.StoreProvider with
            dev.baton.memcached.MemcachedStoreProvider;
}
