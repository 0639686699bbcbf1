/** Distributed locks with leases, fencing tokens and direct hand-off. */
module dev.baton {
    requires static jdk.jfr;
    requires static org.jspecify;

    exports dev.baton;
    exports dev.baton.spi;
    exports dev.baton.internal.client to
            dev.baton.tck,
            dev.baton.test;
    exports dev.baton.internal.engine to
            dev.baton.tck,
            dev.baton.test;
    exports dev.baton.internal.memory to
            dev.baton.tck,
            dev.baton.test;
    exports dev.baton.internal.ordered to
            dev.baton.etcd,
            dev.baton.tck,
            dev.baton.zookeeper;
    exports dev.baton.internal.store to
            dev.baton.etcd,
            dev.baton.jdbc,
            dev.baton.memcached,
            dev.baton.redis,
            dev.baton.tck;

    uses dev.baton.spi.StoreProvider;

    provides dev.baton.spi.StoreProvider with
            dev.baton.internal.memory.MemoryStoreProvider;
}
