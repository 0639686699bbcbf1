package dev.baton.bench;

import com.zaxxer.hikari.HikariConfig;
import com.zaxxer.hikari.HikariDataSource;
import dev.baton.bench.Contestant.Client;
import java.time.Duration;
import java.util.function.Function;
import javax.sql.DataSource;
import net.javacrumbs.shedlock.core.LockProvider;
import net.javacrumbs.shedlock.provider.jdbc.JdbcLockProvider;
import net.javacrumbs.shedlock.provider.jdbctemplate.JdbcTemplateLockProvider;
import org.springframework.core.io.ClassPathResource;
import org.springframework.integration.jdbc.lock.DefaultLockRepository;
import org.springframework.integration.jdbc.lock.JdbcLockRegistry;
import org.springframework.jdbc.core.JdbcTemplate;
import org.springframework.jdbc.datasource.init.ResourceDatabasePopulator;
import org.springframework.jdbc.support.JdbcTransactionManager;

/** Peers that keep their locks in a database: configured as their documentation says, each client with its own pool. */
final class SqlPeers {
    private static final String REGISTRY_TABLES = "org/springframework/integration/jdbc/schema-postgresql.sql";
    /** From its documentation; the library has no script. */
    private static final String SHED_LOCK_TABLE = """
            CREATE TABLE IF NOT EXISTS shedlock (
                name VARCHAR(64) NOT NULL PRIMARY KEY,
                lock_until TIMESTAMP NOT NULL,
                locked_at TIMESTAMP NOT NULL,
                locked_by VARCHAR(255) NOT NULL)""";

    /** HikariCP's default. */
    private static final int CONNECTIONS = 10;

    private static final Duration EXPIRY = JdbcLockRegistry.DEFAULT_TTL;
    /** The default of {@code JdbcLockRegistry}. */
    private static final Duration POLL = Duration.ofMillis(100);

    private static final String POOL = "pool of " + CONNECTIONS + " connections";

    static final Setup LOCK_REGISTRY = Setup.of(
            "defaults: %s, a lock expires after %s, a waiter polls every %s"
                    .formatted(POOL, Setup.time(EXPIRY), Setup.time(POLL)),
            JdbcLockRegistry.class,
            HikariDataSource.class);

    static final Setup SHED_LOCK = Setup.of(
            POOL + ", database time, " + ShedLocks.SETTINGS, JdbcTemplateLockProvider.class, HikariDataSource.class);

    static final Setup SHED_LOCK_PLAIN =
            Setup.of(POOL + ", client's time, " + ShedLocks.SETTINGS, JdbcLockProvider.class, HikariDataSource.class);

    private SqlPeers() {}

    static Client lockRegistry(Stage stage) {
        HikariDataSource pool = pool(stage);
        ResourceDatabasePopulator tables = new ResourceDatabasePopulator(new ClassPathResource(REGISTRY_TABLES));
        tables.setContinueOnError(true); // the tables may exist; the repository checks for its own when it starts
        tables.execute(pool);
        DefaultLockRepository repository = new DefaultLockRepository(pool);
        repository.setTransactionManager(new JdbcTransactionManager(pool));
        repository.afterPropertiesSet();
        repository.afterSingletonsInstantiated();
        repository.start();
        JdbcLockRegistry registry = new JdbcLockRegistry(repository, EXPIRY);
        registry.setIdleBetweenTries(POLL);
        return Mutex.client(name -> Mutex.of(registry.obtain(name)), () -> {
            repository.close();
            pool.close();
        });
    }

    /** Runs each statement in its own transaction, with the clock of the database. */
    static Client shedLock(Stage stage) {
        return shedLock(
                stage,
                pool -> new JdbcTemplateLockProvider(JdbcTemplateLockProvider.Configuration.builder()
                        .withJdbcTemplate(new JdbcTemplate(pool))
                        .usingDbTime()
                        .build()));
    }

    /** Runs each statement alone, with the clock of the client: two round trips for a pair, the fewest possible. */
    static Client shedLockWithoutSpring(Stage stage) {
        return shedLock(stage, JdbcLockProvider::new);
    }

    private static Client shedLock(Stage stage, Function<DataSource, LockProvider> providers) {
        HikariDataSource pool = pool(stage);
        new JdbcTemplate(pool).execute(SHED_LOCK_TABLE);
        LockProvider provider = providers.apply(pool);
        return Mutex.client(name -> ShedLocks.of(provider, name), pool::close);
    }

    private static HikariDataSource pool(Stage stage) {
        HikariConfig config = new HikariConfig();
        config.setJdbcUrl(stage.addressOf(Home.DATABASE));
        config.setMaximumPoolSize(CONNECTIONS);
        return new HikariDataSource(config);
    }
}
