package dev.baton.jdbc;

import dev.baton.spi.Capabilities;
import dev.baton.spi.Capabilities.Reach;
import java.time.Duration;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

/** The databases that there is a dialect for: what their stores can do, and which texts make the dialect. */
enum Databases {
    SQLITE("SQLite", Reach.HOST, false, "sqlite", "common on-conflict sqlite"),
    POSTGRESQL("PostgreSQL", Reach.NETWORK, true, "postgresql", "common on-conflict postgresql"),
    MYSQL("MySQL", Reach.NETWORK, false, "mysql", "common mysql"),
    MARIADB("MariaDB", Reach.NETWORK, false, "mysql", "common mysql mariadb"),
    H2("H2", Reach.NETWORK, false, "h2", "common h2");

    private static final Duration SHORTEST_LEASE = Duration.ofMillis(100);
    private static final Map<String, Dialect> DIALECTS = new ConcurrentHashMap<>();

    private final String store;
    private final Reach reach;
    private final boolean push;
    private final String schema;
    private final String texts;

    Databases(String store, Reach reach, boolean push, String schema, String texts) {
        this.store = store;
        this.reach = reach;
        this.push = push;
        this.schema = schema;
        this.texts = texts;
    }

    /** How an address begins, before the colon. */
    String scheme() {
        return "jdbc:" + store.toLowerCase(Locale.ROOT);
    }

    /** What its stores can do. */
    Capabilities capabilities() {
        return capabilities(push);
    }

    /** What its stores can do while grants are, or are not, heard of. */
    Capabilities capabilities(boolean pushed) {
        return Capabilities.builder(store, reach)
                .shares(true)
                .queue(true)
                .push(pushed)
                .durable(true)
                .tokens(Capabilities.TokenOrder.HYBRID)
                .shortestLease(SHORTEST_LEASE)
                .build();
    }

    /** Whether a driver means it by its product's name; MySQL and MariaDB answer to each other's. */
    boolean isCalled(String product) {
        String name = product.toLowerCase(Locale.ROOT);
        boolean mine = name.startsWith(store.toLowerCase(Locale.ROOT));
        return mine || (schema.equals("mysql") && (name.startsWith("mysql") || name.startsWith("mariadb")));
    }

    /** Its dialect, for tables with a prefix; read when it is first asked for. */
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

    /** The dialect with the usual names of tables. */
    Dialect dialect() {
        return dialect(ServerAddress.DEFAULT_TABLES);
    }
}
