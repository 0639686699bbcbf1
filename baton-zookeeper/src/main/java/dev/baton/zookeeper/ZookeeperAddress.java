package dev.baton.zookeeper;

import java.net.URI;
import java.net.URLDecoder;
import java.nio.charset.StandardCharsets;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * The address of an ensemble, as {@code zookeeper://user:password@host1:2181,host2:2181/path?sessionTimeout=10s}.
 *
 * @param servers the members, as in ZooKeeper's connect string; empty if the application brings the connection
 * @param user user of the digest scheme; null for none
 * @param password the user's password; null for none
 * @param path the node below which everything is kept; empty for the root
 * @param sessionTimeout the session timeout to ask for
 * @param shortLeases whether lease times below the session's are accepted
 * @param tls how to encrypt; null for not at all
 */
record ZookeeperAddress(
        String servers,
        @Nullable String user,
        @Nullable String password,
        String path,
        Duration sessionTimeout,
        boolean shortLeases,
        @Nullable Tls tls) {
    static final String SCHEME = "zookeeper";

    /** Every connection is encrypted, and the member's certificate must be for the named host. */
    static final String TLS_SCHEME = "zookeeper+tls";

    /** 10 s: how long a dead holder blocks the others, and how long a process may pause without losing its session. */
    static final Duration DEFAULT_SESSION_TIMEOUT = Duration.ofSeconds(10);

    private static final int DEFAULT_PORT = 2181;
    private static final Pattern TIME = Pattern.compile("([0-9]{1,9})(ms|s|m)");
    private static final Pattern SERVER = Pattern.compile("(\\[[0-9a-fA-F:.]+]|[^:\\[\\]@,/?#\\s]+)(:[0-9]{1,5})?");
    private static final String EXAMPLE =
            "zookeeper://zk1:2181,zk2:2181,zk3:2181/path or zookeeper://user:password@localhost:2181 (special characters"
                    + " in a password are written as in %40)";

    /**
     * Files in PEM.
     *
     * @param ca the certificates to trust; null for those that the JVM trusts
     * @param cert this client's certificate followed by its key; null for none
     */
    record Tls(@Nullable Path ca, @Nullable Path cert) {}

    /** The options behind the question mark, while they are read. */
    private static final class Options {
        private Duration timeout = DEFAULT_SESSION_TIMEOUT;
        private boolean shortLeases;
        private @Nullable Path ca;
        private @Nullable Path cert;

        void read(String option, boolean mayBeSecret) {
            String name = option.substring(0, Math.max(0, option.indexOf('=')));
            String value = option.substring(option.indexOf('=') + 1);
            if (name.equals("sessionTimeout")) {
                timeout = time(value);
            } else if (name.equals("shortLeases") && (value.equals("true") || value.equals("false"))) {
                shortLeases = value.equals("true");
            } else if (name.equals("ca")) {
                ca = file(value);
            } else if (name.equals("cert")) {
                cert = file(value);
            } else {
                throw new IllegalArgumentException("unknown option" + (mayBeSecret ? "" : " \"" + option + '"')
                        + ": a ZooKeeper address takes sessionTimeout=10s and shortLeases=true, and with zookeeper+tls"
                        + " ca=FILE and cert=FILE");
            }
        }

        @Nullable
        Tls tls(boolean encrypted) {
            if (!encrypted && (ca != null || cert != null)) {
                throw new IllegalArgumentException("ca and cert have no meaning without TLS: write zookeeper+tls://");
            }
            return encrypted ? new Tls(ca, cert) : null;
        }
    }

    /**
     * Reads an address.
     *
     * @throws IllegalArgumentException if it is malformed; the message contains no part that may be secret
     */
    static ZookeeperAddress of(URI uri) {
        String authority = uri.getRawAuthority();
        if (authority == null) {
            return of("", null, uri);
        }
        int at = authority.lastIndexOf('@');
        return of(servers(authority.substring(at + 1)), at < 0 ? null : authority.substring(0, at), uri);
    }

    private static ZookeeperAddress of(String servers, @Nullable String login, URI uri) {
        int colon = login == null ? -1 : login.indexOf(':');
        if (login != null && colon < 1) {
            throw new IllegalArgumentException("a ZooKeeper address has a user with a password, as in " + EXAMPLE);
        }
        Options options = new Options();
        String query = uri.getRawQuery();
        for (String option : query == null ? new String[0] : query.split("&", -1)) {
            // If an @ follows, the option may be part of a password.
            options.read(option, query.contains("@"));
        }
        return new ZookeeperAddress(
                servers,
                login == null ? null : decode(login.substring(0, colon)),
                login == null ? null : decode(login.substring(colon + 1)),
                path(uri.getPath()),
                options.timeout,
                options.shortLeases,
                options.tls(TLS_SCHEME.equalsIgnoreCase(uri.getScheme())));
    }

    private static String servers(String list) {
        StringBuilder servers = new StringBuilder();
        for (String server : list.split(",", -1)) {
            if (!SERVER.matcher(server).matches()) {
                // Omits the part itself: a password with an unescaped @ or , ends up there.
                throw new IllegalArgumentException("what stands for a server is none: write " + EXAMPLE);
            }
            boolean hasPort = server.lastIndexOf(':') > server.lastIndexOf(']');
            servers.append(servers.isEmpty() ? "" : ",").append(server).append(hasPort ? "" : ":" + DEFAULT_PORT);
        }
        return servers.toString();
    }

    private static String path(@Nullable String path) {
        String plain = path == null ? "" : path.replaceAll("/+$", "");
        if (plain.contains("//") || plain.contains("/./") || plain.contains("/../") || plain.endsWith("/..")) {
            throw new IllegalArgumentException("\"" + plain + "\" is not the path of a node");
        }
        return plain;
    }

    private static Path file(String value) {
        try {
            return Path.of(decode(value));
        } catch (InvalidPathException e) {
            throw new IllegalArgumentException("\"" + value + "\" is not a path: " + e.getReason(), e);
        }
    }

    private static Duration time(String text) {
        Matcher matcher = TIME.matcher(text);
        if (!matcher.matches() || millis(matcher) == 0 || millis(matcher) > Integer.MAX_VALUE) {
            throw new IllegalArgumentException(
                    "sessionTimeout=" + text + " is not a time: write it as 500ms, 10s or 1m");
        }
        return Duration.ofMillis(millis(matcher));
    }

    private static long millis(Matcher time) {
        long number = Long.parseLong(time.group(1));
        return switch (time.group(2)) {
            case "ms" -> number;
            case "s" -> number * 1_000;
            default -> number * 60_000;
        };
    }

    /** Keeps a plus sign, because this is not a form. */
    private static String decode(String text) {
        return URLDecoder.decode(text.replace("+", "%2B"), StandardCharsets.UTF_8);
    }

    @Override
    public String toString() {
        return (tls == null ? SCHEME : TLS_SCHEME) + "://" + servers + path;
    }
}
