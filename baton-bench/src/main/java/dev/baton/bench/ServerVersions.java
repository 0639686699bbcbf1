package dev.baton.bench;

import com.fasterxml.jackson.jr.ob.JSON;
import java.io.IOException;
import java.io.InputStream;
import java.net.Socket;
import java.net.URI;
import java.net.URLConnection;
import java.nio.charset.StandardCharsets;
import java.sql.Connection;
import java.sql.DatabaseMetaData;
import java.sql.DriverManager;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import redis.clients.jedis.Jedis;

/** Asks servers for their versions. */
final class ServerVersions {
    private static final int PATIENCE_MILLIS = 2_000;
    private static final Pattern VALKEY = Pattern.compile("valkey_version:(\\S+)");
    private static final Pattern REDIS = Pattern.compile("redis_version:(\\S+)");
    private static final Pattern ZOOKEEPER = Pattern.compile("version: ([0-9.]+)");

    private ServerVersions() {}

    /**
     * Returns the name and the version of a server, such as "Redis 7.0.15". If the server does not answer, the text
     * says that the version is unknown.
     */
    static String of(Home home, String address) {
        try {
            return switch (home) {
                case SERVER -> redis(URI.create(address));
                case DATABASE -> database(address);
                case ZOOKEEPER -> zookeeper(URI.create(address));
                case ETCD -> etcd(URI.create(address));
                case JVM, BATON -> Versions.java();
            };
        } catch (Exception noAnswer) {
            return home.words() + " of an unknown version";
        }
    }

    private static String redis(URI address) {
        try (Jedis jedis = new Jedis(address)) {
            return redis(jedis.info("server"));
        }
    }

    static String redis(String info) {
        Matcher valkey = VALKEY.matcher(info);
        return valkey.find() ? "Valkey " + valkey.group(1) : "Redis " + found(REDIS, info);
    }

    private static String database(String address) throws Exception {
        try (Connection connection = DriverManager.getConnection(address)) {
            DatabaseMetaData about = connection.getMetaData();
            return about.getDatabaseProductName() + " " + about.getDatabaseProductVersion();
        }
    }

    private static String zookeeper(URI address) throws IOException {
        try (Socket socket = new Socket(address.getHost(), address.getPort())) {
            socket.setSoTimeout(PATIENCE_MILLIS);
            socket.getOutputStream().write("srvr".getBytes(StandardCharsets.US_ASCII));
            String answer = new String(socket.getInputStream().readAllBytes(), StandardCharsets.US_ASCII);
            return "ZooKeeper " + found(ZOOKEEPER, answer);
        }
    }

    private static String etcd(URI address) throws IOException {
        URLConnection connection = URI.create("http://" + address.getHost() + ":" + address.getPort() + "/version")
                .toURL()
                .openConnection();
        connection.setConnectTimeout(PATIENCE_MILLIS);
        connection.setReadTimeout(PATIENCE_MILLIS);
        try (InputStream answer = connection.getInputStream()) {
            return "etcd " + JSON.std.mapFrom(answer).get("etcdserver");
        }
    }

    private static String found(Pattern version, String answer) {
        Matcher matcher = version.matcher(answer);
        if (!matcher.find()) {
            throw new IllegalArgumentException("no version in " + answer);
        }
        return matcher.group(1);
    }
}
