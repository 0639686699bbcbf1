package dev.baton.examples.shop;

import dev.baton.servers.PostgresServer;
import dev.baton.servers.RedisServer;
import java.io.IOException;
import java.net.http.HttpClient;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Duration;
import java.time.OffsetDateTime;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/** Three instances of the shop with a PostgreSQL and a Redis of their own, all on this machine. */
final class ShopCluster implements AutoCloseable {
    /** How often a night comes. */
    static final Duration DAY = Duration.ofSeconds(2);

    private static final String NIGHT = "*/2 * * * * *";

    private final HttpClient http = HttpClient.newBuilder()
            .version(HttpClient.Version.HTTP_1_1)
            .connectTimeout(Duration.ofSeconds(10))
            .build();
    private final PostgresServer postgresql = PostgresServer.start();
    private final RedisServer redis = RedisServer.builder().appendOnly().start();
    private final List<Instance> instances = new ArrayList<>();

    ShopCluster(Path logs) throws IOException, InterruptedException {
        Files.createDirectories(logs);
        for (String name : List.of("a", "b", "c")) {
            instances.add(new Instance(
                    name,
                    logs,
                    List.of(
                            "--spring.datasource.url=" + postgresql.uri(),
                            "--spring.data.redis.port=" + redis.port(),
                            "--shop.night=" + NIGHT)));
        }
        for (Instance each : instances) {
            each.open(http);
        }
    }

    HttpClient http() {
        return http;
    }

    List<Instance> instances() {
        return instances;
    }

    void open(Instance instance) throws InterruptedException {
        instance.open(http);
    }

    /** Restarts Redis; it keeps what it had. */
    void restartRedis() {
        redis.restart();
    }

    // ---- what the database knows ---------------------------------------------------------------------------------

    /** Has so many units of each article, except for the first. */
    void stockUp(int skus, int units, int ofTheFirst) throws SQLException {
        try (Connection connection = connect();
                PreparedStatement insert = connection.prepareStatement("insert into stock values (?, ?)")) {
            for (int i = 0; i < skus; i++) {
                insert.setString(1, "sku-" + i);
                insert.setInt(2, i == 0 ? ofTheFirst : units);
                insert.executeUpdate();
            }
        }
    }

    /** An article, the units that are left, and its sales. */
    record Article(String sku, int left, int sold) {}

    List<Article> articles() throws SQLException {
        return query(
                "select stock.sku, units, (select count(*) from sale where sale.sku = stock.sku) from stock order by 1",
                rows -> new Article(rows.getString(1), rows.getInt(2), rows.getInt(3)));
    }

    Set<String> soldOrders() throws SQLException {
        return new HashSet<>(query("select id from sale", rows -> rows.getString(1)));
    }

    /** Returns the nights whose books were closed, in the order of time. */
    List<OffsetDateTime> nights() throws SQLException {
        return query("select night from book order by 1", rows -> rows.getObject(1, OffsetDateTime.class));
    }

    /** What to read from a row. */
    private interface Row<T> {
        T read(ResultSet rows) throws SQLException;
    }

    private <T> List<T> query(String sql, Row<T> row) throws SQLException {
        List<T> all = new ArrayList<>();
        try (Connection connection = connect();
                PreparedStatement statement = connection.prepareStatement(sql);
                ResultSet rows = statement.executeQuery()) {
            while (rows.next()) {
                all.add(row.read(rows));
            }
        }
        return all;
    }

    private Connection connect() throws SQLException {
        return DriverManager.getConnection(postgresql.uri());
    }

    @Override
    public void close() {
        instances.forEach(Instance::close);
        redis.close();
        postgresql.close();
    }
}
