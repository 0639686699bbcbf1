package dev.baton.redis;

import java.net.URI;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import redis.clients.jedis.HostAndPort;

/**
 * A checked address, {@code redis://USER:PASSWORD@HOST:PORT/DATABASE?OPTIONS},
 * {@code redis+sentinel://USER:PASSWORD@HOST:PORT,…/NAME/DATABASE?OPTIONS} for sentinels,
 * {@code redis+cluster://USER:PASSWORD@HOST:PORT,…?OPTIONS} for nodes of a cluster, or
 * {@code redis+quorum://USER:PASSWORD@HOST:PORT,…/DATABASE?OPTIONS} for independent servers; {@code rediss} for TLS. Never
 * shows a password.
 *
 * @param tls whether to encrypt the connections to servers that keep locks
 * @param kind what the hosts are
 * @param hosts where the server is, or the sentinels, or some nodes of the cluster, or all members of a quorum
 * @param sentinels how to ask the sentinels; null without sentinels
 * @param map for addresses that servers announce, the addresses at which they are reached from here
 * @param user who connects; null for the default user
 * @param password the user's password; null for none
 * @param database number of the database
 * @param certificates a file with the certificates to trust, in PEM; null for those that the JVM trusts
 * @param grace when a server waits for a grace period
 * @param replicated how many replicas must have a grant before it is believed
 */
record RedisAddress(
        boolean tls,
        Kind kind,
        List<HostAndPort> hosts,
        @Nullable SentinelAccess sentinels,
        Map<HostAndPort, HostAndPort> map,
        @Nullable String user,
        @Nullable String password,
        int database,
        @Nullable Path certificates,
        GraceMode grace,
        int replicated) {
    /** What an address names. */
    enum Kind {
        SERVER,
        SENTINELS,
        CLUSTER,
        QUORUM
    }

    static final String PLAIN = "redis";
    static final String TLS = "rediss";
    static final String SENTINEL = PLAIN + "+sentinel";
    static final String SENTINEL_TLS = TLS + "+sentinel";

    static final String CLUSTER = PLAIN + "+cluster";
    static final String CLUSTER_TLS = TLS + "+cluster";

    static final String QUORUM = PLAIN + "+quorum";
    static final String QUORUM_TLS = TLS + "+quorum";

    private static final Map<String, Kind> KINDS = Map.of(
            PLAIN, Kind.SERVER,
            TLS, Kind.SERVER,
            SENTINEL, Kind.SENTINELS,
            SENTINEL_TLS, Kind.SENTINELS,
            CLUSTER, Kind.CLUSTER,
            CLUSTER_TLS, Kind.CLUSTER,
            QUORUM, Kind.QUORUM,
            QUORUM_TLS, Kind.QUORUM);

    private static final int FEWEST_MEMBERS = 3;
    private static final int MOST_MEMBERS = 9;
    private static final int DEFAULT_PORT = 6379;
    private static final int DEFAULT_SENTINEL_PORT = 26_379;

    private static final String CA = "ca";
    private static final String GRACE = "grace";
    private static final String REPLICATED = "replicated";
    private static final String SENTINEL_USER = "sentinelUser";
    private static final String SENTINEL_PASSWORD = "sentinelPassword";
    private static final String TLS_TO_SENTINELS = "sentinelTls";
    private static final String MAP = "map";
    private static final List<String> OPTIONS = List.of(CA, GRACE, REPLICATED);
    private static final List<String> CLUSTER_OPTIONS = List.of(CA, GRACE, REPLICATED, MAP);
    private static final List<String> QUORUM_OPTIONS = List.of(CA, GRACE);
    private static final List<String> SENTINEL_OPTIONS =
            List.of(CA, GRACE, REPLICATED, SENTINEL_USER, SENTINEL_PASSWORD, TLS_TO_SENTINELS, MAP);

    /**
     * Reads an address.
     *
     * @throws IllegalArgumentException if it is malformed; the message contains no part that may be secret
     */
    static RedisAddress of(URI uri) {
        boolean tls = uri.getScheme().startsWith(TLS);
        return switch (KINDS.getOrDefault(uri.getScheme(), Kind.SERVER)) {
            case SERVER -> ofServer(uri, tls);
            case SENTINELS -> ofSentinels(uri, tls);
            case CLUSTER -> ofCluster(uri, tls);
            case QUORUM -> ofQuorum(uri, tls);
        };
    }

    private static RedisAddress ofServer(URI uri, boolean tls) {
        String host = uri.getHost();
        if (host == null) {
            throw new IllegalArgumentException("a Redis address names a host, as in redis://localhost:6379 or"
                    + " rediss://user:password@redis.example.org:6380/0 (special characters in a password are written"
                    + " as in %40; a host name has no underscores; several sentinels are named by"
                    + " redis+sentinel://host,host/NAME, nodes of a cluster by redis+cluster://host,host, and independent"
                    + " servers by redis+quorum://host,host,host)");
        }
        String plainHost = host.startsWith("[") ? host.substring(1, host.length() - 1) : host;
        HostAndPort at = new HostAndPort(plainHost, uri.getPort() < 0 ? DEFAULT_PORT : uri.getPort());
        String path = uri.getPath();
        String database = path == null || path.isEmpty() ? "" : path.substring(1);
        AddressOptions options = new AddressOptions(uri.getRawQuery(), OPTIONS);
        return new RedisAddress(
                tls,
                Kind.SERVER,
                List.of(at),
                null,
                Map.of(),
                user(uri.getRawUserInfo()),
                password(uri.getRawUserInfo()),
                database(database, "redis://localhost:6379/2"),
                certificates(options, tls, "rediss:// for redis://"),
                options.grace(GRACE),
                options.number(REPLICATED));
    }

    private static RedisAddress ofSentinels(URI uri, boolean tls) {
        String authority = uri.getRawAuthority();
        if (authority == null) {
            throw new IllegalArgumentException(
                    "the address names no sentinel, as in redis+sentinel://host:26379,host:26379/NAME");
        }
        // Here, so that no message below speaks of a part that is in truth the end of a password.
        List<String> path = path(uri.getPath());
        String login = login(authority, uri.getRawQuery());
        AddressOptions options = new AddressOptions(uri.getRawQuery(), SENTINEL_OPTIONS);
        SentinelAccess access = new SentinelAccess(
                path.get(0),
                options.flag(TLS_TO_SENTINELS, tls),
                options.text(SENTINEL_USER),
                options.text(SENTINEL_PASSWORD));
        if (access.user() != null && access.password() == null) {
            throw new IllegalArgumentException(SENTINEL_USER + "= needs a " + SENTINEL_PASSWORD + '=');
        }
        return new RedisAddress(
                tls,
                Kind.SENTINELS,
                Hosts.list(hosts(authority), DEFAULT_SENTINEL_PORT, "sentinel"),
                access,
                Hosts.map(options.text(MAP), DEFAULT_PORT, MAP + '='),
                user(login),
                password(login),
                database(path.size() < 2 ? "" : path.get(1), "redis+sentinel://host:26379/NAME/2"),
                certificates(options, tls || access.tls(), "rediss+sentinel:// for redis+sentinel://"),
                options.grace(GRACE),
                options.number(REPLICATED));
    }

    private static RedisAddress ofCluster(URI uri, boolean tls) {
        String authority = uri.getRawAuthority();
        if (authority == null) {
            throw new IllegalArgumentException(
                    "the address names no node of the cluster, as in redis+cluster://host:6379,host:6379");
        }
        // Without a look at the path first, a message below might speak of the end of a password.
        if (uri.getPath() != null && !uri.getPath().matches("/?0?")) {
            throw new IllegalArgumentException(
                    "what follows the nodes is not the database of a cluster, which has number 0"
                            + " alone: the address ends as in redis+cluster://host:6379,host:6379 (a slash in a password is"
                            + " written as %2F)");
        }
        String login = login(authority, uri.getRawQuery());
        AddressOptions options = new AddressOptions(uri.getRawQuery(), CLUSTER_OPTIONS);
        return new RedisAddress(
                tls,
                Kind.CLUSTER,
                Hosts.list(hosts(authority), DEFAULT_PORT, "node"),
                null,
                Hosts.map(options.text(MAP), DEFAULT_PORT, MAP + '='),
                user(login),
                password(login),
                0,
                certificates(options, tls, "rediss+cluster:// for redis+cluster://"),
                options.grace(GRACE),
                options.number(REPLICATED));
    }

    private static RedisAddress ofQuorum(URI uri, boolean tls) {
        String authority = uri.getRawAuthority();
        if (authority == null) {
            throw new IllegalArgumentException(
                    "the address names no member of the quorum, as in redis+quorum://host:6379,host:6379,host:6379");
        }
        // Without a look at the path first, a message below might speak of the end of a password.
        String path = uri.getPath() == null ? "" : uri.getPath();
        int database = database(path.isEmpty() ? "" : path.substring(1), "redis+quorum://host,host,host/2");
        String login = login(authority, uri.getRawQuery());
        AddressOptions options = new AddressOptions(uri.getRawQuery(), QUORUM_OPTIONS);
        List<HostAndPort> members = Hosts.list(hosts(authority), DEFAULT_PORT, "member");
        if (members.size() < FEWEST_MEMBERS || members.size() > MOST_MEMBERS || members.size() % 2 == 0) {
            throw new IllegalArgumentException("a quorum has 3, 5, 7 or 9 members, and the address names "
                    + members.size() + ": an even number bears no more failures than one less");
        }
        GraceMode grace = options.grace(GRACE);
        if (grace == GraceMode.OFF) {
            throw new IllegalArgumentException(
                    "grace=off is not for a quorum: a member that restarts without its data would vote again at once");
        }
        return new RedisAddress(
                tls,
                Kind.QUORUM,
                members,
                null,
                Map.of(),
                user(login),
                password(login),
                database,
                certificates(options, tls, "rediss+quorum:// for redis+quorum://"),
                grace,
                0);
    }

    private static String hosts(String authority) {
        return authority.substring(authority.lastIndexOf('@') + 1);
    }

    /** Returns user and password, which stand before the hosts. */
    private static @Nullable String login(String authority, @Nullable String query) {
        int at = authority.lastIndexOf('@');
        String login = at < 0 ? null : authority.substring(0, at);
        if (login != null && login.indexOf('@') >= 0) {
            throw new IllegalArgumentException("an @ in a password is written as %40");
        }
        requireNotQuotedTwice(login, query);
        return login;
    }

    /** Returns the name, and the number of the database if it is there. */
    private static List<String> path(@Nullable String path) {
        List<String> parts = new ArrayList<>(List.of((path == null ? "" : path).split("/")));
        if (parts.size() < 2) {
            throw new IllegalArgumentException("the address does not say which servers the sentinels should be asked"
                    + " for: it ends with the name under which they watch them (sentinel monitor NAME …), as in"
                    + " redis+sentinel://host:26379,host:26379/NAME");
        }
        // Sentinels allow these characters alone.
        if (parts.size() > 3 || !parts.get(1).matches("[A-Za-z0-9._-]+")) {
            throw new IllegalArgumentException("what follows the sentinels is not a name and the number of a database,"
                    + " as in redis+sentinel://host:26379/NAME/2 (a slash in a password is written as %2F)");
        }
        return parts.subList(1, parts.size());
    }

    /** A greater-than sign in an address has its percent signs encoded once more on the way here. */
    private static void requireNotQuotedTwice(@Nullable String login, @Nullable String query) {
        if (login != null && query != null && login.contains("%25") && query.contains("%3E")) {
            throw new IllegalArgumentException(MAP + "= beside a password with a percent sign: write = for > in " + MAP
                    + "=10.0.0.5:6379=redis.example.org:16379");
        }
    }

    private static @Nullable String user(@Nullable String login) {
        if (login == null) {
            return null;
        }
        int colon = login.indexOf(':');
        String user = AddressOptions.decode(colon < 0 ? login : login.substring(0, colon));
        return user.isEmpty() ? null : user;
    }

    private static @Nullable String password(@Nullable String login) {
        int colon = login == null ? -1 : login.indexOf(':');
        return login == null || colon < 0 ? null : AddressOptions.decode(login.substring(colon + 1));
    }

    private static int database(String text, String example) {
        if (text.isEmpty()) {
            return 0;
        }
        if (text.matches("\\d{1,9}")) {
            return Integer.parseInt(text);
        }
        // Omits the path: a password with a slash in it ends up there.
        throw new IllegalArgumentException("what follows is not the number of a database: a Redis address ends as in "
                + example + " (a slash in a password is written as %2F)");
    }

    private static @Nullable Path certificates(AddressOptions options, boolean tls, String instead) {
        Path file = options.path(CA);
        if (file != null && !tls) {
            throw new IllegalArgumentException("ca=FILE has no meaning without TLS: write " + instead);
        }
        return file;
    }

    /** Returns the first host, or the only one. */
    HostAndPort host() {
        return hosts.get(0);
    }

    /** Returns what the address leads to, as messages show it. */
    String target() {
        return switch (kind) {
            case SERVER -> Hosts.shown(host());
            case SENTINELS -> "the primary of " + service();
            case CLUSTER -> "the cluster of " + Hosts.shown(host());
            case QUORUM -> "the quorum of " + Hosts.shown(host());
        };
    }

    boolean cluster() {
        return kind == Kind.CLUSTER;
    }

    /** Returns the name that the sentinels know. */
    private String service() {
        return sentinels == null ? "" : sentinels.service();
    }

    @Override
    public String toString() {
        String all = String.join(",", hosts.stream().map(Hosts::shown).toList());
        return switch (kind) {
            case SERVER -> (tls ? TLS : PLAIN) + "://" + all + '/' + database;
            case SENTINELS -> (tls ? SENTINEL_TLS : SENTINEL) + "://" + all + '/' + service() + '/' + database;
            case CLUSTER -> (tls ? CLUSTER_TLS : CLUSTER) + "://" + all;
            case QUORUM -> (tls ? QUORUM_TLS : QUORUM) + "://" + all + '/' + database;
        };
    }
}
