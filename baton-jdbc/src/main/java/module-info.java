/** Locks in an SQL database. */
module dev.baton.jdbc {
    requires transitive dev.baton;
    requires transitive java.sql;
    requires static org.jspecify;

    exports dev.baton.jdbc;

    provides dev.baton.spi.StoreProvider with
            dev.baton.jdbc.JdbcStoreProvider;
}
