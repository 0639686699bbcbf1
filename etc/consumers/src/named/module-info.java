/** A named module that uses the stores which are modules. */
module consumer {
    requires dev.baton.jdbc;
    requires dev.baton.memcached;
    requires dev.baton.redis;
}
