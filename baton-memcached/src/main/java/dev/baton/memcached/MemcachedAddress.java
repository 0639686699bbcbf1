package dev.baton.memcached;

import java.net.InetSocketAddress;
import java.net.URI;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * A checked address {@code memcached://HOST:PORT/?connections=N}.
 *
 * @param host where the server is
 * @param port its port
 * @param connections the number of connections to it
 */
record MemcachedAddress(String host, int port, int connections) {
    static final String SCHEME = "memcached";

    /** 4: a single thread needs one, and more than a few only wait for the same server. */
    static final int DEFAULT_CONNECTIONS = 4;

    private static final int DEFAULT_PORT = 11211;
    private static final int MAX_CONNECTIONS = 256;
    private static final Pattern OPTION = Pattern.compile("connections=(\\d{1,3})");

    /**
     * Reads an address.
     *
     * @throws IllegalArgumentException if it is malformed
     */
    static MemcachedAddress of(URI uri) {
        String authority = uri.getRawAuthority();
        if (authority != null && authority.contains("@")) {
            throw malformed("Baton speaks to Memcached without user and password");
        }
        if (authority != null && authority.contains(",")) {
            throw malformed("a client has one server (for names on several servers, make a client for each)");
        }
        String host = uri.getHost();
        if (host == null) {
            throw malformed("a Memcached address names a host (without underscores)");
        }
        String path = uri.getRawPath();
        if (path != null && !path.isEmpty() && !path.equals("/")) {
            throw malformed("nothing but options follows the host");
        }
        return new MemcachedAddress(
                host.startsWith("[") ? host.substring(1, host.length() - 1) : host,
                uri.getPort() < 0 ? DEFAULT_PORT : uri.getPort(),
                connections(uri.getRawQuery()));
    }

    private static int connections(@Nullable String query) {
        if (query == null) {
            return DEFAULT_CONNECTIONS;
        }
        Matcher option = OPTION.matcher(query);
        int number = option.matches() ? Integer.parseInt(option.group(1)) : 0;
        if (number < 1 || number > MAX_CONNECTIONS) {
            throw malformed("the only option is connections=1 … " + MAX_CONNECTIONS);
        }
        return number;
    }

    private static IllegalArgumentException malformed(String what) {
        return new IllegalArgumentException(
                what + ": write memcached://localhost:11211, or memcached://cache.example.org:11211/?connections=8");
    }

    /** Returns the server's address, unresolved: each connection looks it up. */
    InetSocketAddress unresolved() {
        return InetSocketAddress.createUnresolved(host, port);
    }

    /** Returns the server's place, as messages show it. */
    String target() {
        return (host.indexOf(':') < 0 ? host : '[' + host + ']') + ':' + port;
    }
}
