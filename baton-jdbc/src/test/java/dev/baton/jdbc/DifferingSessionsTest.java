package dev.baton.jdbc;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.zaxxer.hikari.HikariConfig;
import com.zaxxer.hikari.HikariDataSource;
import dev.baton.StaleTokenException;
import dev.baton.spi.Acquire;
import dev.baton.spi.CommandNumber;
import dev.baton.spi.Heartbeat;
import dev.baton.spi.Release;
import dev.baton.spi.Resource;
import dev.baton.spi.StoreConfig;
import dev.baton.spi.Timings;
import java.net.URI;
import java.sql.Connection;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Two clients exclude each other although their connections differ in character set, time zone and isolation. */
class DifferingSessionsTest {
    /** Claims and presence outlast any pause of a busy machine: these tests do not depend on time. */
    private static final Timings PATIENT =
            new Timings(Duration.ofSeconds(60), Duration.ofSeconds(60), Duration.ofSeconds(120));

    private static final boolean NIGHTLY = Boolean.getBoolean("baton.nightly");
    private static final int NAMES = 6;
    private static final List<String> HARD_NAMES = List.of(
            "stra\u00dfe",
            "\u9501-1",
            "\u9396-1",
            "\u0000",
            "a\u0000b",
            "a",
            "A",
            "a ",
            "\uffff",
            "\ud83d\ude00",
            "\u00e9",
            "e\u0301",
            "\\x41",
            "it's \"quoted\"\\",
            "\u00bf'\\",
            "\u8868'; --");

    private final SplittableRandom random = new SplittableRandom(21);

    /** A client with a pool of one connection. */
    private static final class Client implements AutoCloseable {
        final SessionSettings settings;
        final HikariDataSource pool;
        final JdbcClient client;
        volatile Release won;

        Client(SessionSettings settings, String id) throws Exception {
            this.settings = settings;
            HikariConfig config = new HikariConfig();
            config.setDataSource(settings.source());
            config.setMaximumPoolSize(1);
            pool = new HikariDataSource(config);
            String uri = settings.uri();
            String bare = uri.substring(0, uri.indexOf(':', "jdbc:".length()) + 1);
            client = new JdbcClient(new JdbcStoreProvider()
                    .open(new StoreConfig(
                            URI.create(bare),
                            "differ",
                            id,
                            PATIENT,
                            Duration.ofSeconds(20),
                            List.of(pool),
                            JdbcClient.DEAF)));
            verify();
        }

        void verify() throws Exception {
            try (Connection connection = pool.getConnection()) {
                settings.verify(connection);
            }
        }

        /** Tries to acquire, and returns whether the lock was granted. */
        boolean tries(Resource lock) throws Exception {
            long attempt = client.next();
            Acquire.Reply reply = client.acquire(lock, attempt, Acquire.Mode.TRY);
            if (reply instanceof Acquire.Granted granted) {
                won = new Release(lock, attempt, granted.token(), CommandNumber.of(client.next()));
            } else {
                assertThat(reply).isInstanceOf(Acquire.Held.class);
            }
            return reply instanceof Acquire.Granted;
        }

        @Override
        public void close() {
            client.close();
            pool.close();
        }
    }

    @ParameterizedTest
    @EnumSource(SessionSettings.Kind.class)
    @DisplayName("P1 P12 P32: clients_whoseSessionsDiffer_excludeEachOther")
    void clients_whoseSessionsDiffer_excludeEachOther(SessionSettings.Kind database) throws Exception {
        List<SessionSettings> all = SessionSettings.all(database);
        try (ServerFixture emptied = new ServerFixture(all.get(0).uri())) {
            assertThat(emptied.uri()).isEqualTo(all.get(0).uri());
        }
        List<Client> clients = new ArrayList<>();
        ExecutorService threads = Executors.newFixedThreadPool(2);
        try {
            for (int i = 0; i < all.size(); i++) {
                clients.add(null);
            }
            int pairs = 0;
            for (int[] pair : pairs(all.size())) {
                for (int i : pair) {
                    if (clients.get(i) == null) {
                        clients.set(i, new Client(all.get(i), "client" + i));
                    }
                }
                exclude(clients.get(pair[0]), clients.get(pair[1]), threads);
                pairs++;
            }
            System.out.println(database + ": " + pairs + " pairs");
            for (Client client : clients) {
                if (client != null) {
                    client.verify();
                }
            }
        } finally {
            threads.shutdownNow();
            clients.stream().filter(client -> client != null).forEach(Client::close);
        }
    }

    /** Returns all pairs; in the build, each character set occurs once with each time zone, beside another one. */
    private List<int[]> pairs(int settings) {
        List<int[]> pairs = new ArrayList<>();
        for (int one = 0; one < settings; one++) {
            for (int two = one + 1; two < settings && NIGHTLY; two++) {
                pairs.add(new int[] {one, two});
            }
            // Far enough away to be in another character set.
            int other = (one + settings / 4 + 5) % settings;
            if (!NIGHTLY && one % 4 == one / 4 % 4) {
                pairs.add(new int[] {one, other});
            }
        }
        return pairs;
    }

    private void exclude(Client one, Client two, ExecutorService threads) throws Exception {
        for (String name : names()) {
            Resource lock = Resource.lock(name);
            String what = "name " + escaped(name) + " of " + one.settings + " and " + two.settings;
            handOver(one, two, lock, what);
            CyclicBarrier both = new CyclicBarrier(2);
            Future<Boolean> first = threads.submit(() -> race(one, lock, both));
            Future<Boolean> second = threads.submit(() -> race(two, lock, both));
            boolean firstWon = first.get(20, TimeUnit.SECONDS);
            assertThat(second.get(20, TimeUnit.SECONDS)).as(what).isNotEqualTo(firstWon);
            Client winner = firstWon ? one : two;
            assertThat(winner.client.release(winner.won)).as(what).isTrue();
        }
        fence(one, two, names().get(0));
    }

    private static boolean race(Client client, Resource lock, CyclicBarrier both) throws Exception {
        both.await(10, TimeUnit.SECONDS);
        return client.tries(lock);
    }

    private static void handOver(Client one, Client two, Resource lock, String what) throws Exception {
        assertThat(one.tries(lock)).as(what).isTrue();
        assertThat(two.tries(lock)).as(what).isFalse();
        assertThat(two.client.store().inspect(lock.name(), JdbcClient.TIMEOUT_NANOS))
                .as(what)
                .get()
                .extracting(view -> view.resource().name())
                .isEqualTo(lock.name());
        long attempt = two.client.next();
        assertThat(two.client.acquire(lock, attempt, Acquire.Mode.QUEUE))
                .as(what)
                .isInstanceOf(Acquire.Queued.class);
        assertThat(one.client.release(one.won)).as(what).isTrue();
        Heartbeat.TicketReply reply = two.client.poll(lock, attempt);
        assertThat(reply).as(what).isInstanceOf(Heartbeat.TicketGranted.class);
        long token = ((Heartbeat.TicketGranted) reply).token();
        assertThat(one.tries(lock)).as(what).isFalse();
        assertThat(two.client.release(new Release(lock, attempt, token, CommandNumber.of(two.client.next()))))
                .as(what)
                .isTrue();
    }

    private void fence(Client one, Client two, String name) throws Exception {
        long token = random.nextLong(1L << 30, 1L << 40);
        try (Connection later = one.pool.getConnection();
                Connection earlier = two.pool.getConnection()) {
            later.setAutoCommit(false);
            earlier.setAutoCommit(false);
            Fence.raise(later, "baton_", name + token, token);
            later.commit();
            assertThatThrownBy(() -> Fence.raise(earlier, "baton_", name + token, token - 1))
                    .as("fence " + escaped(name) + " of " + one.settings + " and " + two.settings)
                    .isInstanceOf(StaleTokenException.class);
            earlier.rollback();
        }
    }

    /** Returns some names that are known to be hard, and some of random characters. */
    private List<String> names() {
        Set<String> names = new LinkedHashSet<>();
        while (names.size() < NAMES / 2) {
            names.add(HARD_NAMES.get(random.nextInt(HARD_NAMES.size())));
        }
        while (names.size() < NAMES) {
            names.add(random.ints(random.nextInt(1, 12), 0, Character.MAX_CODE_POINT + 1)
                    .filter(point -> point < Character.MIN_SURROGATE || point > Character.MAX_SURROGATE)
                    .collect(StringBuilder::new, StringBuilder::appendCodePoint, StringBuilder::append)
                    .append('.')
                    .toString());
        }
        return List.copyOf(names);
    }

    private static String escaped(String name) {
        StringBuilder escaped = new StringBuilder();
        name.codePoints().forEach(point -> escaped.append(String.format("\\u{%x}", point)));
        return escaped.toString();
    }
}
