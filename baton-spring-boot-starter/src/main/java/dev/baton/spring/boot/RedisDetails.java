package dev.baton.spring.boot;

import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Objects;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.springframework.boot.context.properties.bind.Binder;
import org.springframework.boot.context.properties.bind.DefaultValue;
import org.springframework.boot.ssl.SslBundles;
import org.springframework.core.env.Environment;

/** The address of the Redis that the application uses, from {@code spring.data.redis.*}. Nothing that it says is left out. */
final class RedisDetails implements BatonConnectionDetails {
    private static final String PREFIX = "spring.data.redis";

    private final String uri;
    private final List<Object> driverObjects;

    private RedisDetails(String uri, List<Object> driverObjects) {
        this.uri = uri;
        this.driverObjects = driverObjects;
    }

    @Override
    public String uri() {
        return uri;
    }

    @Override
    public List<Object> driverObjects() {
        return driverObjects;
    }

    /** The properties that matter for a connection. */
    record Properties(
            @Nullable String url,
            @Nullable String host,
            @DefaultValue("6379") int port,
            @Nullable String username,
            @Nullable String password,
            @DefaultValue("0") int database,
            @DefaultValue Ssl ssl,
            @Nullable Sentinel sentinel,
            @Nullable Cluster cluster) {
        record Ssl(@Nullable Boolean enabled, @Nullable String bundle) {}

        record Sentinel(
                String master,
                List<String> nodes,
                @Nullable String username,
                @Nullable String password) {}

        record Cluster(List<String> nodes) {}

        boolean isSet() {
            return Stream.of(url, host, sentinel, cluster).anyMatch(Objects::nonNull);
        }

        boolean isTls() {
            return ssl.enabled() != null ? ssl.enabled() : ssl.bundle() != null;
        }
    }

    /**
     * Returns the address, or null if the application has no properties of Redis.
     *
     * @throws IllegalStateException if they say something that Baton cannot do
     */
    static @Nullable BatonConnectionDetails of(Environment environment, @Nullable SslBundles bundles) {
        Properties found =
                Binder.get(environment).bind(PREFIX, Properties.class).orElse(null);
        if (found == null || !found.isSet()) {
            return null;
        }
        if (found.cluster() != null) {
            throw refused("cluster", "Baton does not keep locks in a Redis Cluster");
        }
        String url = found.url();
        if (url != null) {
            return new RedisDetails(ofUrl(url, found), tls(found, url.startsWith("rediss:"), bundles));
        }
        Properties.Sentinel sentinel = found.sentinel();
        String uri = (found.isTls() ? "rediss" : "redis") + (sentinel == null ? "" : "+sentinel") + "://" + login(found)
                + (sentinel == null ? found.host() + ':' + found.port() : nodes(sentinel))
                + (found.database() == 0 ? "" : "/" + found.database())
                + (sentinel == null ? "" : login(sentinel));
        return new RedisDetails(uri, tls(found, found.isTls(), bundles));
    }

    private static String ofUrl(String url, Properties found) {
        if (found.sentinel() != null) {
            throw refused("url", "it excludes spring.data.redis.sentinel.*");
        }
        if (found.username() != null || found.password() != null) {
            throw refused("url", "Baton takes user and password from the URL alone, but they are set beside it, too");
        }
        if (found.isTls() && !url.startsWith("rediss:")) {
            throw refused("ssl", "the URL begins with redis:// and not with rediss://");
        }
        return url + (found.database() == 0 ? "" : "/" + found.database());
    }

    private static List<Object> tls(Properties found, boolean tls, @Nullable SslBundles bundles) {
        String bundle = found.ssl().bundle();
        if (bundle == null) {
            return List.of();
        }
        if (!tls || bundles == null) {
            throw refused("ssl.bundle", "the connection is not encrypted");
        }
        return List.of(bundles.getBundle(bundle).createSslContext());
    }

    private static String login(Properties found) {
        if (found.password() == null) {
            return found.username() == null ? "" : encoded(found.username()) + '@';
        }
        return (found.username() == null ? "" : encoded(found.username())) + ':' + encoded(found.password()) + '@';
    }

    private static String nodes(Properties.Sentinel sentinel) {
        return String.join(",", sentinel.nodes()) + '/' + sentinel.master();
    }

    private static String login(Properties.Sentinel sentinel) {
        if (sentinel.password() == null) {
            return "";
        }
        String user = sentinel.username() == null ? "" : "sentinelUser=" + encoded(sentinel.username()) + '&';
        return '?' + user + "sentinelPassword=" + encoded(sentinel.password());
    }

    private static String encoded(String text) {
        return URLEncoder.encode(text, StandardCharsets.UTF_8).replace("+", "%20");
    }

    private static IllegalStateException refused(String property, String why) {
        return new IllegalStateException("Baton cannot use " + PREFIX + '.' + property + ": " + why
                + "; set baton.uri to the store of the locks");
    }
}
