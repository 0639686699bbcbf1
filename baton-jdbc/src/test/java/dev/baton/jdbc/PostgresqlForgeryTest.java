package dev.baton.jdbc;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.baton.Baton;
import dev.baton.BatonOptions;
import dev.baton.Lease;
import dev.baton.servers.PostgresServer;
import dev.baton.spi.Deadline;
import java.nio.charset.StandardCharsets;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.Statement;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.random.RandomGenerator;
import java.util.random.RandomGeneratorFactory;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/**
 * A role that may notify, as every role may, and may read everything except tickets. It knows each client, its attempts
 * and the identity of the data, but no ticket's secret.
 */
@Tag("serial")
class PostgresqlForgeryTest {
    private static final int FORGED = Boolean.getBoolean("baton.nightly") ? 100_000 : 10_000;
    private static final int BATCH = 1_000;
    private static final RandomGenerator RANDOM =
            RandomGeneratorFactory.of("L64X128MixRandom").create(4_711);

    private record Known(String client, long attempt, String runId) {}

    private static BatonOptions options() {
        return BatonOptions.builder()
                .namespace("forged")
                .connectTimeout(Duration.ofSeconds(20))
                .build();
    }

    private static String byForger(PostgresServer server) throws Exception {
        try (Connection connection = DriverManager.getConnection(server.uri());
                Statement statement = connection.createStatement()) {
            statement.execute("DROP ROLE IF EXISTS forger");
            statement.execute("CREATE ROLE forger LOGIN");
        }
        return server.uri().replace("user=postgres", "user=forger");
    }

    private static <T> T ask(String uri, String sql, Answer<T> answer) throws Exception {
        try (Connection connection = DriverManager.getConnection(uri);
                Statement statement = connection.createStatement();
                ResultSet rows = statement.executeQuery(sql)) {
            return answer.of(rows);
        }
    }

    private interface Answer<T> {
        T of(ResultSet rows) throws Exception;
    }

    private static Known waiting(String uri) throws Exception {
        return ask(
                uri,
                "SELECT convert_from(t.client, 'UTF8'), t.attempt, d.run_id FROM baton_ticket t JOIN baton_descriptor d"
                        + " ON t.namespace = d.namespace WHERE convert_from(t.namespace, 'UTF8') = 'forged'",
                rows -> {
                    assertThat(rows.next()).isTrue();
                    return new Known(rows.getString(1), rows.getLong(2), rows.getString(3));
                });
    }

    private static long tickets(String uri) throws Exception {
        return ask(uri, "SELECT count(*) FROM baton_ticket", rows -> {
            rows.next();
            return rows.getLong(1);
        });
    }

    /** Returns the server processes that listen: after a reconnection there is another one. */
    private static List<Integer> listeners(String uri) throws Exception {
        return ask(uri, "SELECT pid FROM pg_stat_activity WHERE query LIKE 'LISTEN%' ORDER BY pid", rows -> {
            List<Integer> pids = new ArrayList<>();
            while (rows.next()) {
                pids.add(rows.getInt(1));
            }
            return pids;
        });
    }

    private static long nowMicros() {
        return TimeUnit.MILLISECONDS.toMicros(System.currentTimeMillis());
    }

    /** Returns notes of every form in turn: right but for the secret, guessed attempts, huge tokens, nonsense, long. */
    private static String forged(Known known, int i) {
        long attempt = i % 3 == 0 ? known.attempt() : known.attempt() + RANDOM.nextInt(-50, 50);
        long token = i % 5 == 0 ? Long.MAX_VALUE - i : (nowMicros() - 1_735_689_600_000_000L) * 2 / 125 + i;
        long now = nowMicros();
        String name = Base64.getEncoder().encodeToString("wanted".getBytes(StandardCharsets.UTF_8));
        String start = attempt + " " + token + " " + (now + 60_000_000) + " " + now + " " + known.runId();
        return switch (i % 10) {
            case 0 -> start + " " + name + " " + RANDOM.nextLong();
            case 1 -> start + " " + name + " " + i;
            case 2 -> start + " " + name;
            case 3 -> start + " wanted " + i;
            case 4 -> Character.toString('a' + i % 26) + 'b';
            case 5 -> ("x" + i + " ").repeat(7_000 / (2 + Integer.toString(i).length()));
            case 6 -> start + " " + name + " 99999999999999999999" + i;
            case 7 -> "1 2 3 4 5 " + "=".repeat(i % 40) + " 7";
            case 8 -> start + " " + name + " " + RANDOM.nextLong() + " " + i;
            default -> "\u2028\ud83d\ude00 " + i + " 2 3 4 5 6 7";
        };
    }

    private static void forge(String uri, Known known) throws Exception {
        try (Connection connection = DriverManager.getConnection(uri);
                PreparedStatement notify = connection.prepareStatement("SELECT pg_notify(?, ?)")) {
            connection.setAutoCommit(false);
            for (int i = 0; i < FORGED; i++) {
                notify.setString(1, Notifications.channel(known.client()));
                notify.setString(2, forged(known, i));
                notify.execute();
                if (i % BATCH == BATCH - 1) {
                    connection.commit();
                }
            }
        }
    }

    @Test
    void notesOfAnotherRole_grantNothing_andNobodyReconnects() throws Exception {
        PostgresServer server = PostgresServer.shared();
        try (ServerFixture emptied = new ServerFixture(server.uri());
                Baton holder = Baton.connect(emptied.uri(), options());
                Baton waiter = Baton.connect(emptied.uri(), options())) {
            String forger = byForger(server);
            Lease held = holder.lock("wanted").acquire();
            CompletableFuture<Lease> wanted = waiter.lock("wanted").acquireAsync();
            Deadline deadline = Deadline.in(TimeUnit.SECONDS.toNanos(20));
            while ((listeners(server.uri()).isEmpty() || tickets(server.uri()) == 0) && deadline.leftNanos() > 0) {
                TimeUnit.MILLISECONDS.sleep(20);
            }
            List<Integer> before = listeners(server.uri());
            assertThat(before).hasSize(1);
            Known known = waiting(server.uri());
            forge(forger, known);
            assertThat(wanted).isNotDone();
            assertThat(held.isHeld()).isTrue();
            handOvers(holder, waiter);
            assertThat(wanted).isNotDone();
            assertThat(listeners(server.uri())).as("the same connection").containsAll(before);
            held.release();
            try (Lease got = wanted.get(20, TimeUnit.SECONDS)) {
                assertThat(got.token()).isGreaterThan(held.token());
            }
        }
    }

    /** Hands over on another name, while the client reads the forged notes. */
    private static void handOvers(Baton one, Baton two) throws Exception {
        for (int i = 0; i < 20; i++) {
            Lease first = one.lock("other").acquire();
            CompletableFuture<Lease> next = two.lock("other").acquireAsync();
            first.release();
            try (Lease second = next.get(10, TimeUnit.SECONDS)) {
                assertThat(second.token()).isGreaterThan(first.token());
            }
        }
    }

    @Test
    void forger_withoutARight_readsNoSecret() throws Exception {
        PostgresServer server = PostgresServer.shared();
        try (Baton client = Baton.connect(server.uri(), options())) {
            client.lock("x").acquire().release();
            String forger = byForger(server);
            try (Connection connection = DriverManager.getConnection(forger);
                    Statement statement = connection.createStatement()) {
                assertThatThrownBy(() -> statement.executeQuery("SELECT secret FROM baton_ticket"))
                        .hasMessageContaining("permission denied");
            }
        }
    }
}
