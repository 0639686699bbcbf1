/** Locks in Redis or Valkey. */
module dev.baton.redis {
    requires transitive dev.baton;
    requires transitive redis.clients.jedis;
    requires static org.jspecify;

    exports dev.baton.redis;

    provides dev.baton.spi.StoreProvider with
            dev.baton.redis.RedisStoreProvider;
}
