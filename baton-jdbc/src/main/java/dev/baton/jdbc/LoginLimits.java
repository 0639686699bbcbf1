package dev.baton.jdbc;

import java.time.Duration;
import java.util.Locale;
import java.util.Properties;

/**
 * Time-outs for the drivers' own connecting and reading, so that a connecting thread ends even if the server is silent.
 * They are passed beside the address; an option of the same name in the address wins. Once connected, each statement
 * sets the limit of its own call.
 */
final class LoginLimits {
    /** H2's only limit holds for the connection's life, so it must be longer than any statement takes. */
    private static final Duration H2_STATEMENTS = Duration.ofSeconds(5);

    private LoginLimits() {}

    /**
     * Returns the driver's properties for an address.
     *
     * @param connectTimeout how long connecting may take; each single read during login may take as long
     */
    static Properties of(Databases database, String url, Duration connectTimeout) {
        Properties limits = new Properties();
        long millis = Math.max(1, connectTimeout.toMillis());
        switch (database) {
            case POSTGRESQL -> set(limits, Long.toString((millis + 999) / 1_000), "connectTimeout", "socketTimeout");
            case MYSQL, MARIADB -> set(limits, Long.toString(millis), "connectTimeout", "socketTimeout");
            case H2 -> {
                // H2 refuses an option that is given twice with different values.
                if (isRemoteH2(url) && !url.toUpperCase(Locale.ROOT).contains("NETWORK_TIMEOUT")) {
                    set(limits, Long.toString(millis + H2_STATEMENTS.toMillis()), "NETWORK_TIMEOUT");
                }
            }
            default -> {
                // SQLite has no network.
            }
        }
        return limits;
    }

    private static boolean isRemoteH2(String url) {
        String lower = url.toLowerCase(Locale.ROOT);
        return lower.startsWith("jdbc:h2:tcp:") || lower.startsWith("jdbc:h2:ssl:");
    }

    private static void set(Properties limits, String value, String... names) {
        for (String name : names) {
            limits.setProperty(name, value);
        }
    }
}
