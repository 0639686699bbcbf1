package dev.baton.jdbc;

import java.net.URI;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * The address of a database server, as its driver accepts it; the option {@code baton.tables=PREFIX} gives the tables
 * other names.
 *
 * @param dialect the database's dialect, with that prefix
 * @param target the database, as messages show it
 * @param url for the driver
 */
record ServerAddress(Dialect dialect, String target, String url) implements Address {
    static final String DEFAULT_TABLES = "baton_";
    private static final Pattern OPTION = Pattern.compile("(?<=[?&;])baton\\.tables=([^&;]*)(?:[&;]|$)|[?&;]$");
    private static final Pattern TABLES = Pattern.compile("(?:[A-Za-z_][A-Za-z0-9_]*\\.)?[A-Za-z_][A-Za-z0-9_]*");

    /**
     * Reads an address.
     *
     * @throws IllegalArgumentException if the prefix is invalid
     */
    static ServerAddress of(URI uri, Databases database) {
        // The text stays as written: the driver decodes it, and would not do so twice.
        String text = uri.toString();
        Matcher option = OPTION.matcher(text);
        String tables = DEFAULT_TABLES;
        if (option.find() && option.group(1) != null) {
            tables = option.group(1);
            if (!TABLES.matcher(tables).matches()) {
                throw new IllegalArgumentException("baton.tables=" + tables + ": a prefix of table names is letters,"
                        + " digits and '_', with a schema and a dot before it if need be, as in app.baton_");
            }
        }
        String url = OPTION.matcher(OPTION.matcher(text).replaceAll("")).replaceAll("");
        String target = url.equals(database.scheme() + ":/") ? "the DataSource" : Redaction.shown(url);
        return new ServerAddress(database.dialect(tables), target, url);
    }

    @Override
    public List<String> setup() {
        return dialect.connect();
    }

    @Override
    public void check() {
        // Connecting will report the error.
    }

    /** Omits the address for the driver: it may contain a password. */
    @Override
    public String toString() {
        return target;
    }
}
