package dev.baton.jdbc;

import java.net.URI;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Pattern;

/**
 * The address of a database server, as its driver accepts it. Two options are Baton's: {@code baton.tables=PREFIX} gives the
 * tables other names, and {@code baton.connections=N} bounds the connections.
 *
 * @param dialect the database's dialect, with that prefix
 * @param target the database, as messages show it
 * @param url for the driver
 * @param connections how many calls of one client the server works on at the same time
 */
record ServerAddress(Dialect dialect, String target, String url, int connections) implements Address {
    static final String DEFAULT_TABLES = "baton_";

    /** A near server has little use of more, and most clients are near. */
    static final int DEFAULT_CONNECTIONS = 4;

    private static final int MAX_CONNECTIONS = 64;
    private static final String OURS = "baton.";
    private static final String TABLES_OPTION = OURS + "tables=";
    private static final String CONNECTIONS_OPTION = OURS + "connections=";

    /** What may be repeated in a message: a mistake in an address can make a password look like a part of an option. */
    private static final Pattern HARMLESS = Pattern.compile("[\\w.-]{0,40}");

    private static final Pattern TABLES = Pattern.compile("(?:[A-Za-z_][A-Za-z0-9_]*\\.)?[A-Za-z_][A-Za-z0-9_]*");
    private static final Pattern CONNECTIONS = Pattern.compile("\\d{1,2}");

    /**
     * Reads an address.
     *
     * @throws IllegalArgumentException if an option of Baton's is unknown, or its value is invalid
     */
    static ServerAddress of(URI uri, Databases database) {
        // The text stays as written: the driver decodes it, and would not do so twice.
        String text = uri.toString();
        String separator = database == Databases.H2 ? ";" : "&";
        int mark = text.indexOf(database == Databases.H2 ? ';' : '?');
        int begin = mark < 0 ? text.length() : mark;
        String options = text.substring(Math.min(begin + 1, text.length()));
        String tables = DEFAULT_TABLES;
        int connections = DEFAULT_CONNECTIONS;
        List<String> drivers = new ArrayList<>();
        for (String option : options.split(separator, -1)) {
            if (option.startsWith(TABLES_OPTION)) {
                tables = tables(option.substring(TABLES_OPTION.length()));
            } else if (option.startsWith(CONNECTIONS_OPTION)) {
                connections = connections(option.substring(CONNECTIONS_OPTION.length()));
            } else if (option.startsWith(OURS)) {
                throw refused(option, "the options of Baton in an address are baton.tables=… and baton.connections=…");
            } else if (!option.isEmpty()) {
                drivers.add(option);
            }
        }
        String url = text.substring(0, begin)
                + (drivers.isEmpty() ? "" : text.charAt(begin) + String.join(separator, drivers));
        String target = url.equals(database.scheme() + ":/") ? "the DataSource" : Redaction.shown(url);
        return new ServerAddress(database.dialect(tables), target, url, connections);
    }

    private static IllegalArgumentException refused(String option, String advice) {
        String shown = HARMLESS.matcher(option.replaceFirst("=", "")).matches() ? option : "an option " + OURS + "…";
        return new IllegalArgumentException(shown + ": " + advice);
    }

    private static String tables(String prefix) {
        if (!TABLES.matcher(prefix).matches()) {
            throw refused(
                    TABLES_OPTION + prefix,
                    "a prefix of table names is letters, digits and '_', with a schema and a dot before it if need be,"
                            + " as in app.baton_");
        }
        return prefix;
    }

    private static int connections(String number) {
        int connections = CONNECTIONS.matcher(number).matches() ? Integer.parseInt(number) : 0;
        if (connections < 1 || connections > MAX_CONNECTIONS) {
            throw refused(
                    CONNECTIONS_OPTION + number,
                    "a client has 1 to " + MAX_CONNECTIONS
                            + " connections for its calls, and one for heartbeats beside them");
        }
        return connections;
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
