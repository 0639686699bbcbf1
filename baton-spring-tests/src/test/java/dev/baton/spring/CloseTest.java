package dev.baton.spring;

import static org.assertj.core.api.Assertions.assertThat;

import com.zaxxer.hikari.HikariDataSource;
import dev.baton.Baton;
import dev.baton.Lease;
import dev.baton.spring.boot.BatonAutoConfiguration;
import dev.baton.spring.boot.BatonOptionsCustomizer;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Executor;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.scheduling.concurrent.ThreadPoolTaskExecutor;
import org.springframework.scheduling.concurrent.ThreadPoolTaskScheduler;

/**
 * The end of an application: work that runs ends first, the client closes after it, and what the client needs closes after the
 * client. Each bean here is made before the client, so that Spring's own order would close it after the client.
 */
class CloseTest {
    private static final ApplicationContextRunner RUNNER =
            new ApplicationContextRunner().withConfiguration(AutoConfigurations.of(BatonAutoConfiguration.class))
                    .withPropertyValues("baton.connect-timeout=20s");

    /** How a task ended that held a lock while the context closed. */
    private static String closeWhileATaskRuns(ApplicationContextRunner runner, String uri) {
        CompletableFuture<String> end = new CompletableFuture<>();
        try (Other other = new Other(uri)) {
            runner.run(context -> {
                Baton baton = context.getBean(Baton.class);
                CountDownLatch running = new CountDownLatch(1);
                context.getBean(Executor.class).execute(() -> end.complete(run(baton, running)));
                assertThat(running.await(20, TimeUnit.SECONDS)).isTrue();
                other.expectRefused("work");
            });
            other.expectGranted("work");
        } catch (InterruptedException ended) {
            throw new AssertionError(ended);
        }
        return end.getNow("the task had not ended when the context was closed");
    }

    private static String run(Baton baton, CountDownLatch running) {
        try (Lease lease = baton.lock("work").acquire()) {
            running.countDown();
            Thread.sleep(1_000);
            return lease.isHeld() ? "held to the end" : "lost";
        } catch (InterruptedException | RuntimeException thrown) {
            return thrown.toString();
        }
    }

    @ParameterizedTest
    @ValueSource(classes = {SpringsExecutor.class, PlainExecutor.class})
    @DisplayName("A task that runs while the context closes keeps its lease to its end")
    void task_thatRuns_keepsItsLease(Class<?> executor) {
        String uri = "memory://close-" + executor.getSimpleName();
        assertThat(closeWhileATaskRuns(
                        RUNNER.withUserConfiguration(executor).withPropertyValues("baton.uri=" + uri), uri))
                .isEqualTo("held to the end");
    }

    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    @DisplayName("The application's pool of connections closes after the client that uses it")
    void dataSource_closesAfterTheClient(boolean lazy) {
        assertThat(closeWhileATaskRuns(
                        RUNNER.withUserConfiguration(Database.class, PlainExecutor.class)
                                .withPropertyValues("baton.lazy=" + lazy),
                        Database.URL))
                .isEqualTo("held to the end");
    }

    @Test
    @DisplayName("A client that the application makes itself closes last, too")
    void client_ofTheApplication_closesLast() {
        assertThat(closeWhileATaskRuns(
                        RUNNER.withUserConfiguration(PlainExecutor.class, OwnClient.class), "memory://close-own"))
                .isEqualTo("held to the end");
    }

    /** The pool of connections has a scheduler injected, which thus closes after it. */
    @Test
    @DisplayName("A pool that needs an executor closes after the client all the same")
    void dataSource_thatNeedsAnExecutor_closesAfterTheClient() {
        AtomicBoolean clientWasClosed = new AtomicBoolean();
        Baton[] client = new Baton[1];
        RUNNER.withBean("threads", ThreadPoolTaskScheduler.class, ThreadPoolTaskScheduler::new)
                .withBean(
                        "dataSource",
                        HikariDataSource.class,
                        () -> new HikariDataSource() {
                            {
                                setJdbcUrl(Database.URL);
                            }

                            @Override
                            public void close() {
                                clientWasClosed.set(client[0].isClosed());
                                super.close();
                            }
                        },
                        definition -> definition.setDependsOn("threads"))
                .run(context -> client[0] = context.getBean(Baton.class));
        assertThat(clientWasClosed).isTrue();
    }

    @Test
    @DisplayName("An executor that the client itself uses closes after the client")
    void executor_ofTheClient_closesAfterIt() {
        Callbacks callbacks = new Callbacks();
        RUNNER.withPropertyValues("baton.uri=memory://close-callbacks")
                .withBean("callbacks", Callbacks.class, () -> callbacks)
                .withBean(BatonOptionsCustomizer.class, () -> options -> options.callbackExecutor(callbacks))
                .run(context -> callbacks.client = context.getBean(Baton.class));
        assertThat(callbacks.clientWasClosed).isTrue();
    }

    @Configuration(proxyBeanMethods = false)
    static class SpringsExecutor {
        @Bean
        ThreadPoolTaskExecutor work() {
            ThreadPoolTaskExecutor executor = new ThreadPoolTaskExecutor();
            executor.setAcceptTasksAfterContextClose(true);
            executor.setWaitForTasksToCompleteOnShutdown(true);
            executor.setAwaitTerminationSeconds(20);
            return executor;
        }
    }

    @Configuration(proxyBeanMethods = false)
    static class PlainExecutor {
        @Bean(destroyMethod = "close")
        Waiting work() {
            return new Waiting();
        }
    }

    /** An executor that waits for its tasks, as {@code ExecutorService.close} of newer JDKs does. */
    static final class Waiting implements Executor, AutoCloseable {
        private final ExecutorService executor = Executors.newSingleThreadExecutor();

        @Override
        public void execute(Runnable task) {
            executor.execute(task);
        }

        @Override
        public void close() {
            executor.shutdown();
            try {
                assertThat(executor.awaitTermination(20, TimeUnit.SECONDS)).isTrue();
            } catch (InterruptedException ended) {
                throw new AssertionError(ended);
            }
        }
    }

    /** The executor of the client's futures. */
    static final class Callbacks implements Executor, AutoCloseable {
        private volatile @Nullable Baton client;
        private volatile @Nullable Boolean clientWasClosed;

        @Override
        public void execute(Runnable task) {
            task.run();
        }

        @Override
        public void close() {
            Baton its = client;
            clientWasClosed = its != null && its.isClosed();
        }
    }

    @Configuration(proxyBeanMethods = false)
    static class OwnClient {
        @Bean
        Baton locks() {
            return Baton.connect("memory://close-own");
        }
    }

    @Configuration(proxyBeanMethods = false)
    static class Database {
        static final String URL = "jdbc:h2:mem:close;DB_CLOSE_DELAY=-1";

        @Bean
        HikariDataSource dataSource() {
            HikariDataSource source = new HikariDataSource();
            source.setJdbcUrl(URL);
            return source;
        }
    }
}
