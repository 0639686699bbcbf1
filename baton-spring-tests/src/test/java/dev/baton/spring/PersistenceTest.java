package dev.baton.spring;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.zaxxer.hikari.HikariDataSource;
import dev.baton.StaleTokenException;
import dev.baton.jdbc.Fence;
import dev.baton.spring.boot.BatonAutoConfiguration;
import jakarta.persistence.Entity;
import jakarta.persistence.EntityManager;
import jakarta.persistence.EntityManagerFactory;
import jakarta.persistence.Id;
import jakarta.persistence.PersistenceContext;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Stream;
import javax.sql.DataSource;
import org.jooq.SQLDialect;
import org.jooq.impl.DSL;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.core.env.Environment;
import org.springframework.jdbc.core.JdbcTemplate;
import org.springframework.jdbc.datasource.DataSourceTransactionManager;
import org.springframework.jdbc.datasource.TransactionAwareDataSourceProxy;
import org.springframework.orm.jpa.JpaTransactionManager;
import org.springframework.orm.jpa.LocalContainerEntityManagerFactoryBean;
import org.springframework.orm.jpa.vendor.HibernateJpaVendorAdapter;
import org.springframework.transaction.PlatformTransactionManager;
import org.springframework.transaction.annotation.EnableTransactionManagement;
import org.springframework.transaction.annotation.Transactional;

/** Locked methods in transactions of JPA and jOOQ: Baton raises the fence in them, before the first statement. */
class PersistenceTest {
    private static final AtomicInteger NUMBER = new AtomicInteger();
    private static final int SALES = 200;

    private final String database = "jdbc:h2:mem:persistence" + NUMBER.incrementAndGet() + ";DB_CLOSE_DELAY=-1";

    /** A shop, however it keeps its stock. */
    interface Shop {
        /** Sells one unit, and says how many are left. */
        int sell();
    }

    @Configuration(proxyBeanMethods = false)
    @EnableTransactionManagement
    static class Application {
        @Bean
        HikariDataSource dataSource(Environment environment) throws SQLException {
            HikariDataSource source = new HikariDataSource();
            source.setJdbcUrl(environment.getRequiredProperty("app.database"));
            try (Connection connection = source.getConnection()) {
                Fence.createTable(connection);
            }
            new JdbcTemplate(source).execute("CREATE TABLE stock (id INT PRIMARY KEY, units INT)");
            new JdbcTemplate(source).update("INSERT INTO stock VALUES (7, ?)", SALES);
            return source;
        }
    }

    @Configuration(proxyBeanMethods = false)
    static class OnJpa {
        @Bean
        LocalContainerEntityManagerFactoryBean entityManagerFactory(DataSource source) {
            LocalContainerEntityManagerFactoryBean factory = new LocalContainerEntityManagerFactoryBean();
            factory.setDataSource(source);
            factory.setJpaVendorAdapter(new HibernateJpaVendorAdapter());
            factory.setPackagesToScan(Stock.class.getPackageName());
            factory.setJpaPropertyMap(Map.of("hibernate.hbm2ddl.auto", "none"));
            return factory;
        }

        @Bean
        PlatformTransactionManager transactions(EntityManagerFactory factory) {
            return new JpaTransactionManager(factory);
        }

        @Bean
        ShopOfJpa shop() {
            return new ShopOfJpa();
        }
    }

    /** The stock of one thing. */
    @Entity(name = "stock")
    static class Stock {
        @Id
        int id;

        int units;
    }

    static class ShopOfJpa implements Shop {
        @PersistenceContext
        EntityManager manager;

        @Override
        @Locked(value = "stock", fence = true)
        @Transactional
        public int sell() {
            Stock stock = manager.find(Stock.class, 7);
            return --stock.units; // written when the transaction is about to commit
        }
    }

    @Configuration(proxyBeanMethods = false)
    static class OnJooq {
        @Bean
        PlatformTransactionManager transactions(DataSource source) {
            return new DataSourceTransactionManager(source);
        }

        @Bean
        ShopOfJooq shop(DataSource source) {
            return new ShopOfJooq(source);
        }
    }

    static class ShopOfJooq implements Shop {
        private final DataSource source;

        ShopOfJooq(DataSource source) {
            this.source = new TransactionAwareDataSourceProxy(source);
        }

        @Override
        @Locked(value = "stock", fence = true)
        @Transactional
        public int sell() {
            var jooq = DSL.using(source, SQLDialect.H2);
            Integer units = jooq.resultQuery("SELECT units FROM stock WHERE id = 7").fetchOneInto(Integer.class);
            int left = units == null ? -1 : units - 1;
            int updated = jooq.query("UPDATE stock SET units = ? WHERE id = 7", left).execute();
            assertThat(updated).isEqualTo(1);
            return left;
        }
    }

    private static int units(DataSource source) {
        Integer units = new JdbcTemplate(source).queryForObject("SELECT units FROM stock", Integer.class);
        return units == null ? -1 : units;
    }

    @ParameterizedTest
    @ValueSource(classes = {OnJpa.class, OnJooq.class})
    void sales_areExact_andTheFenceRefusesWhoWasOvertaken(Class<?> kind) {
        new ApplicationContextRunner()
                .withConfiguration(AutoConfigurations.of(BatonAutoConfiguration.class))
                .withUserConfiguration(Application.class, kind)
                .withPropertyValues("app.database=" + database, "baton.connect-timeout=20s")
                .run(context -> {
                    Shop shop = context.getBean(Shop.class);
                    DataSource source = context.getBean(DataSource.class);
                    sellFromFourThreads(shop, SALES - 1);
                    assertThat(units(source)).isEqualTo(1);
                    raiseFence(source, Long.MAX_VALUE / 2);
                    assertThatThrownBy(shop::sell).isInstanceOf(StaleTokenException.class);
                    assertThat(units(source)).as("rolled back").isEqualTo(1);
                    try (Other other = new Other(database)) {
                        other.expectGranted("stock");
                    }
                });
    }

    private static void sellFromFourThreads(Shop shop, int sales) throws Exception {
        AtomicInteger left = new AtomicInteger(sales);
        CompletableFuture<?>[] sellers = Stream.generate(() -> CompletableFuture.runAsync(
                        () -> {
                            while (left.getAndDecrement() > 0) {
                                shop.sell();
                            }
                        },
                        task -> new Thread(task).start()))
                .limit(4)
                .toArray(CompletableFuture[]::new);
        CompletableFuture.allOf(sellers).get(60, TimeUnit.SECONDS);
    }

    private static void raiseFence(DataSource source, long token) throws SQLException {
        try (Connection connection = source.getConnection()) {
            connection.setAutoCommit(false);
            Fence.raise(connection, "baton_", "stock", token);
            connection.commit();
        }
    }
}
