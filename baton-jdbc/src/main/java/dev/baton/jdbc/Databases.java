package dev.baton.jdbc;

import dev.baton.spi.Capabilities;
import dev.baton.spi.Capabilities.Reach;
import java.time.Duration;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

/** The supported databases: the capabilities of their stores, and the resources that make up each dialect. */
enum Databases {
    SQLITE("SQLite", Reach.HOST, false, false, "sqlite", "common on-conflict sqlite"),
    POSTGRESQL("PostgreSQL", Reach.NETWORK, true, true, "postgresql", "common on-conflict postgresql"),
    MYSQL("MySQL", Reach.NETWORK, false, true, "mysql", "common mysql"),
    MARIADB("MariaDB", Reach.NETWORK, false, true, "mysql", "common mysql mariadb"),
    H2("H2", Reach.NETWORK, false, false, "h2", "common h2");

    private static final Duration SHORTEST_LEASE = Duration.ofMillis(100);
    private static final Map<String, Dialect> DIALECTS = new ConcurrentHashMap<>();

    private final String store;
    private final Reach reach;
    private final boolean push;
    private final boolean reclaim;
    private final String schema;
    private final String texts;

    Databases(String store, Reach reach, boolean push, boolean reclaim, String schema, String texts) {
        this.store = store;
        this.reach = reach;
        this.push = push;
        this.reclaim = reclaim;
        this.schema = schema;
        this.texts = texts;
    }

    /** Returns the beginning of an address, before the colon. */
    String scheme() {
        return "jdbc:" + store.toLowerCase(Locale.ROOT);
    }

    /** Returns the capabilities of the database's stores. */
    Capabilities capabilities() {
        return capabilities(push);
    }

    /** Returns the capabilities of the database's stores while pushed grants are, or are not, received. */
    Capabilities capabilities(boolean pushed) {
        return Capabilities.builder(store, reach)
                .shares(true)
                .notes(true)
                .queue(true)
                .push(pushed)
                .durable(true)
                .reclaim(reclaim)
                .tokens(Capabilities.TokenOrder.HYBRID)
                .shortestLease(SHORTEST_LEASE)
                .build();
    }

    /** Returns whether a driver's product name stands for this database; MySQL and MariaDB accept each other's name. */
    boolean isCalled(String product) {
        String name = product.toLowerCase(Locale.ROOT);
        boolean mine = name.startsWith(store.toLowerCase(Locale.ROOT));
        return mine || (schema.equals("mysql") && (name.startsWith("mysql") || name.startsWith("mariadb")));
    }

    /** Returns the dialect for tables with a prefix; it is read on first use. */
    Dialect dialect(String tables) {
        return DIALECTS.computeIfAbsent(
                store + ' ' + tables,
                key -> Dialect.read(
                        store,
                        tables,
                        "schema/" + schema + ".sql",
                        List.of(texts.split(" ", -1)).stream()
                                .map(text -> text + ".sql")
                                .toList()));
    }

    /** Returns the dialect with the default table names. */
    Dialect dialect() {
        return dialect(ServerAddress.DEFAULT_TABLES);
    }
}
