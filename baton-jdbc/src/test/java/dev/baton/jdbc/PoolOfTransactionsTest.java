package dev.baton.jdbc;

import static org.assertj.core.api.Assertions.assertThat;

import com.zaxxer.hikari.HikariConfig;
import com.zaxxer.hikari.HikariDataSource;
import dev.baton.Baton;
import dev.baton.BatonOptions;
import dev.baton.Lease;
import dev.baton.StoreException;
import dev.baton.servers.PostgresServer;
import java.sql.Connection;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import javax.sql.DataSource;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

/** Requests that take a lock inside their transaction, as a {@code @Transactional} method does. */
class PoolOfTransactionsTest {
    private static final int CONNECTIONS = 4;
    private static final int REQUESTS = 48;

    private final ExecutorService threads = Executors.newFixedThreadPool(REQUESTS);

    @AfterEach
    void stop() {
        threads.shutdownNow();
    }

    private static HikariConfig settings() {
        HikariConfig settings = new HikariConfig();
        settings.setJdbcUrl(PostgresServer.shared().uri());
        settings.setMaximumPoolSize(CONNECTIONS);
        return settings;
    }

    private static Baton connect(DataSource source, Duration storeTimeout) {
        return Baton.connect(
                "jdbc:postgresql:",
                BatonOptions.builder()
                        .namespace("requests")
                        .storeTimeout(storeTimeout)
                        .driverObject(source)
                        .build());
    }

    /** Begins as many requests as there are connections before any of them asks. */
    private List<String> serve(Baton baton, DataSource source) throws Exception {
        CyclicBarrier begun = new CyclicBarrier(CONNECTIONS);
        AtomicInteger first = new AtomicInteger();
        List<Future<String>> running = new ArrayList<>();
        for (int i = 0; i < REQUESTS; i++) {
            String name = "order " + i % 8;
            running.add(threads.submit(() -> {
                try (Connection transaction = source.getConnection()) {
                    transaction.setAutoCommit(false);
                    if (first.getAndIncrement() < CONNECTIONS) {
                        begun.await(20, TimeUnit.SECONDS);
                    }
                    try (Lease lease = baton.lock(name).acquire()) {
                        return lease.isHeld() ? "" : "not held";
                    } catch (StoreException refused) {
                        return String.valueOf(refused.getMessage());
                    } finally {
                        transaction.rollback();
                    }
                }
            }));
        }
        List<String> refused = new ArrayList<>();
        for (Future<String> each : running) {
            refused.add(each.get(60, TimeUnit.SECONDS));
        }
        refused.removeIf(String::isEmpty);
        return refused;
    }

    @Test
    @DisplayName("P22: lockInsideATransaction_onItsPool_isRefusedWithTheLikelyCause")
    void lockInsideATransaction_onItsPool_isRefusedWithTheLikelyCause() throws Exception {
        try (HikariDataSource shared = new HikariDataSource(settings());
                Baton baton = connect(shared, Duration.ofSeconds(1))) {
            List<String> refused = serve(baton, shared);
            System.out.println(refused.size() + " of " + REQUESTS + " requests refused on a shared pool");
            assertThat(refused).isNotEmpty().allMatch(message -> message.contains("did not answer in time"));
            // A call that gets a connection at its last moment fails on that one, and says so; one that waits for
            // others
            // of its client says what they wait for.
            assertThat(refused)
                    .filteredOn(message -> message.contains("inside a transaction")
                            && message.contains("before its transaction")
                            && message.contains("pool of its own"))
                    .hasSizeGreaterThan(refused.size() * 3 / 4);
        }
    }

    @Test
    @DisplayName("P22: lockInsideATransaction_withAPoolOfOneForBaton_isTakenByAll")
    void lockInsideATransaction_withAPoolOfOneForBaton_isTakenByAll() throws Exception {
        HikariConfig own = new HikariConfig();
        settings().copyStateTo(own);
        own.setMaximumPoolSize(1);
        own.setPoolName("baton");
        try (HikariDataSource shared = new HikariDataSource(settings());
                HikariDataSource forBaton = new HikariDataSource(own);
                Baton baton = connect(forBaton, Duration.ofSeconds(30))) {
            assertThat(serve(baton, shared)).isEmpty();
        }
    }
}
