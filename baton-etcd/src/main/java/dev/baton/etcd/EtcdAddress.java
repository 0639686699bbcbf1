package dev.baton.etcd;

import java.net.URI;
import java.net.URLDecoder;
import java.nio.charset.StandardCharsets;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * The address of a cluster, as {@code etcd://user:password@host1:2379,host2:2379/prefix?ttl=10s}. Never shows its
 * password.
 *
 * @param servers the members, each as host and port; empty if the application brings the client
 * @param user who connects; null for none
 * @param password the user's password; null for none
 * @param prefix the beginning of all keys; empty for none
 * @param ttl the life of a client's lease, in whole seconds
 * @param shortLeases whether lease times below the client's are accepted
 * @param tls how to encrypt; null for not at all
 */
record EtcdAddress(
        List<String> servers,
        @Nullable String user,
        @Nullable String password,
        String prefix,
        Duration ttl,
        boolean shortLeases,
        @Nullable Tls tls) {
    static final String SCHEME = "etcd";

    /** 10 s: how long a dead holder blocks the others, and how long a process may pause without losing its lease. */
    static final Duration DEFAULT_TTL = Duration.ofSeconds(10);

    private static final int DEFAULT_PORT = 2379;
    private static final Pattern TIME = Pattern.compile("([0-9]{1,6})(s|m)");
    private static final Pattern SERVER = Pattern.compile("(\\[[0-9a-fA-F:.]+]|[^:\\[\\]@,/?#\\s]+)(:[0-9]{1,5})?");
    private static final String EXAMPLE = "etcd://etcd1:2379,etcd2:2379,etcd3:2379/prefix or"
            + " etcd://user:password@localhost:2379 (special characters in a password are written as in %40)";

    /**
     * Files in PEM.
     *
     * @param ca the certificates to trust; null for those that the JVM trusts
     * @param cert this client's certificate; null for none
     * @param key its key; null for none
     */
    record Tls(
            @Nullable Path ca,
            @Nullable Path cert,
            @Nullable Path key) {}

    /** The options behind the question mark, while they are read. */
    private static final class Options {
        private Duration ttl = DEFAULT_TTL;
        private boolean shortLeases;
        private @Nullable Boolean encrypted;
        private @Nullable Path ca;
        private @Nullable Path cert;
        private @Nullable Path key;

        void read(String option, boolean mayBeSecret) {
            String name = option.substring(0, Math.max(0, option.indexOf('=')));
            String value = option.substring(option.indexOf('=') + 1);
            switch (name) {
                case "ttl" -> ttl = time(value);
                case "shortLeases" -> shortLeases = truth(name, value);
                case "tls" -> encrypted = truth(name, value);
                case "ca" -> ca = path(value);
                case "cert" -> cert = path(value);
                case "key" -> key = path(value);
                default ->
                    throw new IllegalArgumentException("unknown option" + (mayBeSecret ? "" : " \"" + name + '"')
                            + ": an etcd address takes ttl=10s, tls=true, ca=FILE, cert=FILE, key=FILE and"
                            + " shortLeases=true");
            }
        }

        @Nullable
        Tls tls() {
            boolean files = ca != null || cert != null || key != null;
            if (files && Boolean.FALSE.equals(encrypted)) {
                throw new IllegalArgumentException("ca, cert and key have no meaning with tls=false");
            }
            if ((cert == null) != (key == null)) {
                throw new IllegalArgumentException("cert=FILE and key=FILE go together: a certificate and its key");
            }
            return files || Boolean.TRUE.equals(encrypted) ? new Tls(ca, cert, key) : null;
        }
    }

    /**
     * Reads an address.
     *
     * @throws IllegalArgumentException if it is malformed; the message contains no part that may be secret
     */
    static EtcdAddress of(URI uri) {
        String authority = uri.getRawAuthority();
        int at = authority == null ? -1 : authority.lastIndexOf('@');
        String login = at < 0 || authority == null ? null : authority.substring(0, at);
        int colon = login == null ? -1 : login.indexOf(':');
        if (login != null && colon < 1) {
            throw new IllegalArgumentException("an etcd address has a user with a password, as in " + EXAMPLE);
        }
        Options options = new Options();
        String query = uri.getRawQuery();
        for (String option : query == null ? new String[0] : query.split("&", -1)) {
            // If an @ follows, the option may be part of a password.
            options.read(option, query.contains("@"));
        }
        return new EtcdAddress(
                authority == null ? List.of() : servers(authority.substring(at + 1)),
                login == null ? null : decode(login.substring(0, colon)),
                login == null ? null : decode(login.substring(colon + 1)),
                prefix(uri.getPath()),
                options.ttl,
                options.shortLeases,
                options.tls());
    }

    private static List<String> servers(String list) {
        List<String> servers = new ArrayList<>();
        for (String server : list.split(",", -1)) {
            if (!SERVER.matcher(server).matches()) {
                // Omits the part itself: a password with an unescaped @ or , ends up there.
                throw new IllegalArgumentException("what stands for a server is none: write " + EXAMPLE);
            }
            boolean hasPort = server.lastIndexOf(':') > server.lastIndexOf(']');
            servers.add(server + (hasPort ? "" : ":" + DEFAULT_PORT));
        }
        return List.copyOf(servers);
    }

    private static String prefix(@Nullable String path) {
        return path == null ? "" : path.replaceAll("/+$", "");
    }

    private static Duration time(String text) {
        Matcher matcher = TIME.matcher(text);
        if (!matcher.matches() || Long.parseLong(matcher.group(1)) == 0) {
            throw new IllegalArgumentException(
                    "ttl=" + text + " is not a time: write it in whole seconds, as 10s or 1m");
        }
        long number = Long.parseLong(matcher.group(1));
        return matcher.group(2).equals("s") ? Duration.ofSeconds(number) : Duration.ofMinutes(number);
    }

    private static boolean truth(String name, String value) {
        if (!value.equals("true") && !value.equals("false")) {
            throw new IllegalArgumentException(name + " is true or false");
        }
        return value.equals("true");
    }

    private static Path path(String file) {
        try {
            return Path.of(decode(file));
        } catch (InvalidPathException e) {
            throw new IllegalArgumentException("\"" + file + "\" is not a path: " + e.getReason(), e);
        }
    }

    /** Keeps a plus sign, because this is not a form. */
    private static String decode(String text) {
        return URLDecoder.decode(text.replace("+", "%2B"), StandardCharsets.UTF_8);
    }

    /** Returns the cluster's place, as messages show it. */
    String target() {
        return servers.isEmpty() ? "the application's connection" : String.join(",", servers);
    }

    @Override
    public String toString() {
        return SCHEME + "://" + String.join(",", servers) + prefix;
    }
}
