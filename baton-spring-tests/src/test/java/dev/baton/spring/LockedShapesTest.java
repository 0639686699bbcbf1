package dev.baton.spring;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.baton.Lease;
import dev.baton.spring.boot.BatonAutoConfiguration;
import java.lang.reflect.Proxy;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.core.Ordered;
import org.springframework.scheduling.annotation.Async;
import org.springframework.scheduling.annotation.EnableAsync;
import org.springframework.scheduling.concurrent.ThreadPoolTaskExecutor;
import org.springframework.test.util.AopTestUtils;
import reactor.core.publisher.Mono;

/** Locked methods whose class, proxy or result hides something. */
class LockedShapesTest {
    private static final AtomicInteger NUMBER = new AtomicInteger();

    private final String uri = "memory://shapes-" + NUMBER.incrementAndGet();
    private final Other other = new Other(uri);
    private final ApplicationContextRunner runner = new ApplicationContextRunner()
            .withConfiguration(AutoConfigurations.of(BatonAutoConfiguration.class))
            .withPropertyValues("baton.uri=" + uri, "baton.connect-timeout=20s");

    @AfterEach
    void close() {
        other.close();
    }

    // ---- results -------------------------------------------------------------------------------------------------

    /** The type of the result is open here. */
    abstract static class Import<T> {
        @Locked(value = "import", waitFor = "0", otherwise = "busy")
        public T run() {
            return work();
        }

        abstract T work();

        abstract T busy();
    }

    static class AsyncImport extends Import<CompletableFuture<String>> {
        final CompletableFuture<String> result = new CompletableFuture<>();

        @Override
        CompletableFuture<String> work() {
            return result;
        }

        @Override
        CompletableFuture<String> busy() {
            return CompletableFuture.completedFuture("busy");
        }
    }

    static class PlainImport extends Import<String> {
        @Override
        String work() {
            return "imported";
        }

        @Override
        String busy() {
            return "another imports";
        }
    }

    @Test
    void method_ofAGenericClass_isLockedAsItsSubclassSays() {
        runner.withBean(AsyncImport.class).withBean(PlainImport.class).run(context -> {
            AsyncImport running = context.getBean(AsyncImport.class);
            CompletableFuture<String> result = running.run();
            other.expectRefused("import");
            assertThat(context.getBean(PlainImport.class).run()).isEqualTo("another imports");
            assertThat(running.run().get(20, TimeUnit.SECONDS)).isEqualTo("busy");
            AopTestUtils.<AsyncImport>getTargetObject(running).result.complete("done");
            assertThat(result.get(20, TimeUnit.SECONDS)).isEqualTo("done");
            other.expectGranted("import");
            assertThat(context.getBean(PlainImport.class).run()).isEqualTo("imported");
        });
    }

    static class Hiding {
        @Locked("hidden")
        public Object work(boolean mono) {
            return mono ? Mono.just("later") : "now";
        }
    }

    @Test
    void result_thatGoesOnBehindAnotherType_isAnError() {
        runner.withBean(Hiding.class).run(context -> {
            Hiding hiding = context.getBean(Hiding.class);
            assertThat(hiding.work(false)).isEqualTo("now");
            assertThatThrownBy(() -> hiding.work(true))
                    .isInstanceOf(IllegalStateException.class)
                    .hasMessageContaining("goes on without the lock: declare that type");
            other.expectGranted("hidden");
        });
    }

    static class ReturnsCallable {
        @Locked("x")
        public Callable<String> work() {
            return () -> "";
        }
    }

    static class ReturnsStream {
        @Locked("x")
        public Stream<String> work() {
            return Stream.of();
        }
    }

    @ParameterizedTest
    @ValueSource(classes = {ReturnsCallable.class, ReturnsStream.class})
    void result_whoseEndCannotBeNoticed_keepsTheApplicationFromStarting(Class<?> type) {
        runner.withBean(type)
                .run(context -> assertThat(context.getStartupFailure())
                        .rootCause()
                        .hasMessageContaining("whose end cannot be noticed"));
    }

    // ---- proxies -------------------------------------------------------------------------------------------------

    @Configuration(proxyBeanMethods = false)
    @EnableAsync(order = Ordered.HIGHEST_PRECEDENCE)
    static class AsyncFirst {}

    @Configuration(proxyBeanMethods = false)
    @EnableAsync
    static class AsyncAsUsual {}

    @Configuration(proxyBeanMethods = false)
    static class Jobs {
        @Bean
        ThreadPoolTaskExecutor taskExecutor() {
            return new ThreadPoolTaskExecutor();
        }

        @Bean
        Job job() {
            return new Job();
        }
    }

    static class Job {
        @Async
        @Locked("job")
        public void run(CountDownLatch began, CountDownLatch end) throws InterruptedException {
            began.countDown();
            boolean unused = end.await(20, TimeUnit.SECONDS);
        }
    }

    @ParameterizedTest
    @ValueSource(classes = {AsyncFirst.class, AsyncAsUsual.class})
    void asyncMethod_isLockedByItsOwnThread_whateverTheOrder(Class<?> async) {
        runner.withUserConfiguration(async, Jobs.class).run(context -> {
            CountDownLatch began = new CountDownLatch(1);
            CountDownLatch end = new CountDownLatch(1);
            context.getBean(Job.class).run(began, end);
            assertThat(began.await(20, TimeUnit.SECONDS)).isTrue();
            other.expectRefused("job");
            end.countDown();
            other.expectGranted("job");
        });
    }

    /** As a repository, or a client of HTTP: an interface, behind which something else has made a proxy. */
    interface Repository {
        @Locked("purge")
        String purge();
    }

    @Configuration(proxyBeanMethods = false)
    static class Repositories {
        @Bean
        Repository repository() {
            return (Repository) Proxy.newProxyInstance(
                    Repository.class.getClassLoader(), new Class<?>[] {Repository.class}, (proxy, method, arguments) ->
                            of(method.getName()));
        }

        private static @Nullable Object of(String method) {
            return switch (method) {
                case "purge" -> "purged";
                case "hashCode" -> 7;
                default -> null;
            };
        }
    }

    @Test
    void beanThatIsAProxyItself_isLocked() {
        runner.withUserConfiguration(Repositories.class).run(context -> {
            Repository repository = context.getBean(Repository.class);
            assertThat(repository.purge()).isEqualTo("purged");
            try (Lease lease = other.take("purge")) {
                CompletableFuture<String> waiting = CompletableFuture.supplyAsync(repository::purge);
                Thread.sleep(100);
                assertThat(waiting).isNotDone();
                lease.release();
                assertThat(waiting.get(20, TimeUnit.SECONDS)).isEqualTo("purged");
            }
        });
    }

    static class Transfers {
        @Locked({"account:#{#from}", "account:#{#to}"})
        public String transfer(String from, String to) {
            return from + " to " + to;
        }
    }

    @Test
    void namesThatAreTheSame_areOneLock() {
        runner.withBean(Transfers.class)
                .run(context -> assertThat(context.getBean(Transfers.class).transfer("a", "a"))
                        .isEqualTo("a to a"));
    }
}
