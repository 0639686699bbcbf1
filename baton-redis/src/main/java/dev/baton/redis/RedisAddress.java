package dev.baton.redis;

import java.net.URI;
import java.net.URLDecoder;
import java.nio.charset.StandardCharsets;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/**
 * A checked address {@code redis://USER:PASSWORD@HOST:PORT/DATABASE?ca=FILE}; {@code rediss} for TLS. Never shows its
 * password.
 *
 * @param tls whether to encrypt
 * @param host where the server is
 * @param port its port
 * @param user who connects; null for the default user
 * @param password the user's password; null for none
 * @param database number of the database
 * @param certificates a file with the certificates to trust, in PEM; null for those that the JVM trusts
 */
record RedisAddress(
        boolean tls,
        String host,
        int port,
        @Nullable String user,
        @Nullable String password,
        int database,
        @Nullable Path certificates) {
    static final String PLAIN = "redis";
    static final String TLS = "rediss";
    private static final int DEFAULT_PORT = 6379;

    /**
     * Reads an address.
     *
     * @throws IllegalArgumentException if it is malformed; the message contains no part that may be secret
     */
    static RedisAddress of(URI uri) {
        boolean tls = TLS.equals(uri.getScheme());
        String host = uri.getHost();
        if (host == null) {
            throw new IllegalArgumentException("a Redis address names a host, as in redis://localhost:6379 or"
                    + " rediss://user:password@redis.example.org:6380/0 (special characters in a password are written"
                    + " as in %40; a host name has no underscores)");
        }
        String plainHost = host.startsWith("[") ? host.substring(1, host.length() - 1) : host;
        String login = uri.getRawUserInfo();
        int colon = login == null ? -1 : login.indexOf(':');
        return new RedisAddress(
                tls,
                plainHost,
                uri.getPort() < 0 ? DEFAULT_PORT : uri.getPort(),
                login == null ? null : emptyToNull(decode(colon < 0 ? login : login.substring(0, colon))),
                colon < 0 || login == null ? null : decode(login.substring(colon + 1)),
                database(uri.getPath()),
                certificates(uri.getRawQuery(), tls));
    }

    /** Returns the server's place, as messages show it. */
    String target() {
        return (host.indexOf(':') < 0 ? host : '[' + host + ']') + ':' + port;
    }

    @Override
    public String toString() {
        return (tls ? TLS : PLAIN) + "://" + target() + '/' + database;
    }

    private static int database(@Nullable String path) {
        if (path == null || path.isEmpty() || path.equals("/")) {
            return 0;
        }
        try {
            int number = Integer.parseInt(path.substring(1));
            if (number >= 0) {
                return number;
            }
        } catch (NumberFormatException notOne) {
            // Reported below.
        }
        // Omits the path: a password with a slash in it ends up there.
        throw new IllegalArgumentException("what follows the host is not the number of a database: a Redis address ends"
                + " as in redis://localhost:6379/2 (a slash in a password is written as %2F)");
    }

    private static @Nullable Path certificates(@Nullable String query, boolean tls) {
        if (query == null) {
            return null;
        }
        Path file = null;
        for (String option : query.split("&", -1)) {
            String name = option.substring(0, Math.max(0, option.indexOf('='))).toLowerCase(Locale.ROOT);
            if (!name.equals("ca")) {
                // If an @ follows, the option may be part of a password.
                throw new IllegalArgumentException("unknown option" + (query.contains("@") ? "" : " \"" + name + '"')
                        + ": a Redis address takes only ca=FILE, the certificates to trust in PEM");
            }
            file = path(decode(option.substring(option.indexOf('=') + 1)));
        }
        if (file != null && !tls) {
            throw new IllegalArgumentException("ca=FILE has no meaning without TLS: write rediss:// for redis://");
        }
        return file;
    }

    private static Path path(String file) {
        try {
            return Path.of(file);
        } catch (InvalidPathException e) {
            throw new IllegalArgumentException("\"" + file + "\" is not a path: " + e.getReason(), e);
        }
    }

    /** Keeps a plus sign, because this is not a form. */
    private static String decode(String text) {
        return URLDecoder.decode(text.replace("+", "%2B"), StandardCharsets.UTF_8);
    }

    private static @Nullable String emptyToNull(String text) {
        return text.isEmpty() ? null : text;
    }
}
