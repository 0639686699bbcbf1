package dev.baton.spring;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.zaxxer.hikari.HikariDataSource;
import dev.baton.Baton;
import dev.baton.Lease;
import dev.baton.LeaseLostException;
import dev.baton.StaleTokenException;
import dev.baton.jdbc.Fence;
import dev.baton.spring.boot.BatonAutoConfiguration;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Consumer;
import java.util.function.Supplier;
import java.util.stream.Stream;
import javax.sql.DataSource;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.core.Ordered;
import org.springframework.core.env.Environment;
import org.springframework.jdbc.core.JdbcTemplate;
import org.springframework.jdbc.datasource.DataSourceTransactionManager;
import org.springframework.transaction.PlatformTransactionManager;
import org.springframework.transaction.annotation.EnableTransactionManagement;
import org.springframework.transaction.annotation.Propagation;
import org.springframework.transaction.annotation.Transactional;
import org.springframework.transaction.support.TransactionSynchronizationManager;
import org.springframework.transaction.support.TransactionTemplate;

/** Locked methods and transactions, on a database that the locks share. */
class TransactionsTest {
    private static final AtomicInteger NUMBER = new AtomicInteger();
    private static final int SALES = 10_000;

    private final String database = "jdbc:h2:mem:shop" + NUMBER.incrementAndGet() + ";DB_CLOSE_DELAY=-1";
    private Other other = new Other("memory://unused");

    @BeforeEach
    void open() {
        other.close();
        other = new Other(database);
    }

    @AfterEach
    void close() {
        other.close();
    }

    private ApplicationContextRunner runner(Class<?> order, int pool) {
        return new ApplicationContextRunner()
                .withConfiguration(AutoConfigurations.of(BatonAutoConfiguration.class))
                .withUserConfiguration(Application.class, order)
                .withPropertyValues("app.database=" + database, "app.pool=" + pool, "baton.connect-timeout=20s");
    }

    @Configuration(proxyBeanMethods = false)
    @EnableTransactionManagement
    static class TransactionsInside {}

    /** A transaction as early as possible: an application may have its reasons. */
    @Configuration(proxyBeanMethods = false)
    @EnableTransactionManagement(order = Ordered.HIGHEST_PRECEDENCE)
    static class TransactionsFirst {}

    @Configuration(proxyBeanMethods = false)
    static class Application {
        @Bean
        HikariDataSource dataSource(Environment environment) {
            HikariDataSource source = new HikariDataSource();
            source.setJdbcUrl(environment.getRequiredProperty("app.database"));
            source.setMaximumPoolSize(environment.getRequiredProperty("app.pool", Integer.class));
            source.setConnectionTimeout(20_000); // for a machine that stands still for seconds
            return source;
        }

        @Bean
        PlatformTransactionManager transactions(DataSource source) {
            return new DataSourceTransactionManager(source);
        }

        @Bean
        JdbcTemplate jdbc(DataSource source) {
            JdbcTemplate jdbc = new JdbcTemplate(source);
            jdbc.execute("CREATE TABLE IF NOT EXISTS stock (sku VARCHAR(40) PRIMARY KEY, units INT)");
            jdbc.execute("MERGE INTO stock KEY (sku) VALUES ('7', 1000)");
            return jdbc;
        }

        @Bean
        Shop shop(JdbcTemplate jdbc) {
            return new Shop(jdbc);
        }
    }

    static class Shop {
        private final JdbcTemplate jdbc;

        Shop(JdbcTemplate jdbc) {
            this.jdbc = jdbc;
        }

        /** Reads and writes as two statements: without the lock, sales would be lost. */
        private void sellOne() {
            Integer units = jdbc.queryForObject("SELECT units FROM stock WHERE sku = '7'", Integer.class);
            jdbc.update("UPDATE stock SET units = ? WHERE sku = '7'", units == null ? 0 : units - 1);
        }

        @Locked("stock")
        @Transactional
        public void sell(Runnable inside) {
            sellOne();
            inside.run();
        }

        @Locked("stock")
        @Transactional(propagation = Propagation.REQUIRES_NEW)
        public void sellInNew(Runnable inside) {
            sellOne();
            inside.run();
        }

        @Locked("stock")
        @Transactional(propagation = Propagation.NESTED)
        public void sellNested(Runnable inside) {
            sellOne();
            inside.run();
        }

        @Locked("stock")
        public void sellWithout(Runnable inside) {
            sellOne();
            inside.run();
        }

        @Locked(value = "stock", fence = true)
        @Transactional
        public void sellFenced(@Nullable Lease lease) {
            sellOne();
        }

        @Locked("stock")
        public CompletableFuture<String> stage(CompletableFuture<String> result) {
            return result;
        }

        @Locked(value = "stock", fence = true)
        public void fencedWithoutTransaction() {
            sellOne();
        }
    }

    private int units(JdbcTemplate jdbc) {
        Integer units = jdbc.queryForObject("SELECT units FROM stock WHERE sku = '7'", Integer.class);
        return units == null ? -1 : units;
    }

    @ParameterizedTest
    @ValueSource(classes = {TransactionsInside.class, TransactionsFirst.class})
    @DisplayName("P12: lock_isAcquiredBeforeTheTransactionBegins_andReleasedAfterItHasCommitted")
    void lock_isAcquiredBeforeTheTransactionBegins_andReleasedAfterItHasCommitted(Class<?> order) {
        runner(order, 4).run(context -> {
            Shop shop = context.getBean(Shop.class);
            JdbcTemplate jdbc = context.getBean(JdbcTemplate.class);
            shop.sell(() -> {
                assertThat(TransactionSynchronizationManager.isActualTransactionActive()).isTrue();
                other.expectRefused("stock");
                assertThat(inOtherThread(() -> units(jdbc))).as("not committed").isEqualTo(1_000);
            });
            other.expectGranted("stock");
            assertThat(units(jdbc)).isEqualTo(999);
            try (Lease lease = other.take("stock")) {
                assertThat(lease.isHeld()).isTrue();
                List<CompletableFuture<Void>> waiting = new ArrayList<>();
                for (int i = 0; i < 3; i++) {
                    waiting.add(CompletableFuture.runAsync(() -> shop.sell(() -> {}), task -> new Thread(task).start()));
                }
                Other.until(
                        "all wait", () -> context.getBean(Baton.class).waitingCallers() == waiting.size());
                assertThat(context.getBean(HikariDataSource.class)
                                .getHikariPoolMXBean()
                                .getActiveConnections())
                        .as("connections in use, of which one may be the client's own")
                        .isLessThanOrEqualTo(1);
                lease.release();
                for (CompletableFuture<Void> each : waiting) {
                    each.get(20, TimeUnit.SECONDS);
                }
            }
        });
    }

    private static <T> T inOtherThread(Supplier<T> action) {
        return CompletableFuture.supplyAsync(action)
                .orTimeout(Other.LONG.toSeconds(), TimeUnit.SECONDS)
                .join();
    }

    @ParameterizedTest
    @CsvSource({"true", "false"})
    @DisplayName("P12: lock_insideAnActiveTransaction_isHeldUntilThatHasEnded")
    void lock_insideAnActiveTransaction_isHeldUntilThatHasEnded(boolean commits) {
        runner(TransactionsInside.class, 4).run(context -> {
            Shop shop = context.getBean(Shop.class);
            JdbcTemplate jdbc = context.getBean(JdbcTemplate.class);
            new TransactionTemplate(context.getBean(PlatformTransactionManager.class)).executeWithoutResult(status -> {
                shop.sellWithout(() -> {});
                other.expectRefused("stock");
                shop.sellNested(() -> {});
                other.expectRefused("stock");
                if (!commits) {
                    status.setRollbackOnly();
                }
            });
            other.expectGranted("stock");
            assertThat(units(jdbc)).isEqualTo(commits ? 998 : 1_000);
        });
    }

    @Test
    void leaseThatIsLostBeforeTheCommit_rollsTheTransactionBack() {
        runner(TransactionsInside.class, 4).run(context -> {
            Shop shop = context.getBean(Shop.class);
            TransactionTemplate template = new TransactionTemplate(context.getBean(PlatformTransactionManager.class));
            assertThatThrownBy(() -> template.executeWithoutResult(status -> {
                        shop.sellWithout(() -> {});
                        other.force("stock");
                        waitForLoss(context.getBean(Baton.class));
                    }))
                    .isInstanceOf(LeaseLostException.class);
            assertThat(units(context.getBean(JdbcTemplate.class))).isEqualTo(1_000);
        });
    }

    private static void waitForLoss(Baton baton) {
        try {
            Other.until("it is lost", () -> baton.heldLeases() == 0);
        } catch (InterruptedException stopped) {
            throw new AssertionError(stopped);
        }
    }

    /** Two nodes on one database, whose callers share a pool with their client. */
    @ParameterizedTest
    @MethodSource
    void sales_ofManyThreads_areExact_withPoolsOfAnySize(int pool, Class<?> order) {
        runner(order, pool).run(one -> runner(order, pool).run(two -> {
            JdbcTemplate jdbc = one.getBean(JdbcTemplate.class);
            jdbc.update("UPDATE stock SET units = ? WHERE sku = '7'", SALES);
            List<Consumer<Runnable>> ways = Stream.of(one, two)
                    .map(node -> node.getBean(Shop.class))
                    .<Consumer<Runnable>>flatMap(shop -> Stream.of(shop::sell, shop::sellInNew, shop::sellNested, shop::sell))
                    .toList();
            List<CompletableFuture<Void>> sellers = new ArrayList<>();
            for (Consumer<Runnable> way : ways) {
                sellers.add(CompletableFuture.runAsync(
                        () -> {
                            for (int sale = 0; sale < SALES / ways.size(); sale++) {
                                way.accept(() -> {});
                            }
                        },
                        task -> new Thread(task).start()));
            }
            for (CompletableFuture<Void> seller : sellers) {
                seller.get(120, TimeUnit.SECONDS);
            }
            assertThat(units(jdbc)).isZero();
        }));
    }

    static Stream<Arguments> sales_ofManyThreads_areExact_withPoolsOfAnySize() {
        return Stream.of(1, 2, 10)
                .flatMap(pool -> Stream.of(TransactionsInside.class, TransactionsFirst.class)
                        .map(order -> Arguments.of(pool, order)));
    }

    @Test
    @DisplayName("P1: fence_isRaisedInTheMethodsTransaction_andRefusesWhoWasOvertaken")
    void fence_isRaisedInTheMethodsTransaction_andRefusesWhoWasOvertaken() {
        runner(TransactionsInside.class, 4).run(context -> {
            Shop shop = context.getBean(Shop.class);
            JdbcTemplate jdbc = context.getBean(JdbcTemplate.class);
            try (Connection connection = context.getBean(DataSource.class).getConnection()) {
                Fence.createTable(connection);
            }
            shop.sellFenced(null);
            assertThat(units(jdbc)).isEqualTo(999);
            raiseTo(context.getBean(DataSource.class), Long.MAX_VALUE / 2);
            assertThatThrownBy(() -> shop.sellFenced(null)).isInstanceOf(StaleTokenException.class);
            assertThat(units(jdbc)).isEqualTo(999);
            other.expectGranted("stock");
        });
    }

    @Test
    void stageInATransaction_holdsTheLockToTheEndOfBoth_andItsLossRollsBack() {
        runner(TransactionsInside.class, 4).run(context -> {
            Shop shop = context.getBean(Shop.class);
            TransactionTemplate inTransaction =
                    new TransactionTemplate(context.getBean(PlatformTransactionManager.class));
            CompletableFuture<String> result = new CompletableFuture<>();
            inTransaction.executeWithoutResult(status -> {
                CompletableFuture<String> stage = shop.stage(result);
                result.complete("done");
                assertThat(stage.join()).isEqualTo("done");
                other.expectRefused("stock");
                // The same lock again, which this transaction has.
                shop.sellWithout(() -> {});
            });
            other.expectGranted("stock");
            CompletableFuture<String> cancelled = new CompletableFuture<>();
            inTransaction.executeWithoutResult(status -> shop.stage(cancelled).cancel(true));
            assertThat(cancelled).isCancelled();
            other.expectGranted("stock");
            assertThatThrownBy(() -> inTransaction.executeWithoutResult(status -> {
                        CompletableFuture<String> stage = shop.stage(CompletableFuture.completedFuture("done"));
                        assertThat(stage.join()).isEqualTo("done");
                        context.getBean(JdbcTemplate.class).update("UPDATE stock SET units = 0 WHERE sku = '7'");
                        other.force("stock");
                        waitForLoss(context.getBean(Baton.class));
                    }))
                    .isInstanceOf(LeaseLostException.class);
            assertThat(units(context.getBean(JdbcTemplate.class))).as("rolled back").isEqualTo(999);
        });
    }

    /** Another database is only used in the transaction of the first: the fence belongs to the first. */
    @Test
    void fence_isRaisedInTheTransactionsDatabase_alsoIfAnotherIsUsedBesideIt() {
        runner(TransactionsInside.class, 4).run(context -> {
            Shop shop = context.getBean(Shop.class);
            DataSource source = context.getBean(DataSource.class);
            try (Connection connection = source.getConnection()) {
                Fence.createTable(connection);
            }
            List<HikariDataSource> others = new ArrayList<>();
            new TransactionTemplate(context.getBean(PlatformTransactionManager.class))
                    .executeWithoutResult(status -> {
                        // Several, since their order in Spring's map is that of their hash codes.
                        for (int i = 0; i < 5; i++) {
                            HikariDataSource beside = new HikariDataSource();
                            beside.setJdbcUrl("jdbc:h2:mem:beside" + i);
                            others.add(beside);
                            new JdbcTemplate(beside).queryForObject("SELECT 1", Integer.class);
                        }
                        shop.sellFenced(null);
                    });
            others.forEach(HikariDataSource::close);
            Integer fences = context.getBean(JdbcTemplate.class)
                    .queryForObject("SELECT count(*) FROM baton_fence", Integer.class);
            assertThat(fences).isEqualTo(1);
        });
    }

    private static void raiseTo(DataSource source, long token) throws SQLException {
        try (Connection connection = source.getConnection()) {
            connection.setAutoCommit(false);
            Fence.raise(connection, "baton_", "stock", token);
            connection.commit();
        }
    }

    @Test
    void fence_withoutATransaction_isAnError_beforeTheMethodRuns() {
        runner(TransactionsInside.class, 4).run(context -> {
            Shop shop = context.getBean(Shop.class);
            assertThatThrownBy(shop::fencedWithoutTransaction)
                    .isInstanceOf(IllegalStateException.class)
                    .hasMessageContaining("@Locked(fence = true) on Shop.fencedWithoutTransaction has no transaction");
            assertThat(units(context.getBean(JdbcTemplate.class))).isEqualTo(1_000);
            other.expectGranted("stock");
        });
    }
}
