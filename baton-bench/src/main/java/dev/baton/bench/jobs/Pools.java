package dev.baton.bench.jobs;

import com.zaxxer.hikari.HikariDataSource;

/** Connections and threads of products that bring none of their own, the same for all. */
final class Pools {
    /** More than there are jobs at a time. */
    static final int THREADS = 8;

    private Pools() {}

    /** Opens a pool with HikariCP's defaults. */
    static HikariDataSource open(String uri) {
        HikariDataSource pool = new HikariDataSource();
        pool.setJdbcUrl(uri);
        return pool;
    }
}
