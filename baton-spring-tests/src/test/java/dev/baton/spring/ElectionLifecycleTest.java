package dev.baton.spring;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import dev.baton.Baton;
import dev.baton.Election;
import dev.baton.spring.boot.BatonAutoConfiguration;
import dev.baton.spring.boot.BatonConnectionDetails;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.Test;
import org.springframework.beans.factory.DisposableBean;
import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;

/** Elections of an application: a candidate from the start of the context to its end. */
class ElectionLifecycleTest {
    private static ApplicationContextRunner machine(String uri) {
        return new ApplicationContextRunner()
                .withConfiguration(AutoConfigurations.of(BatonAutoConfiguration.class))
                .withUserConfiguration(Application.class)
                .withPropertyValues("baton.uri=" + uri, "baton.connect-timeout=20s");
    }

    /** Notes what it hears, and whether it could still work then. */
    static final class Shard implements Election.Listener, DisposableBean {
        final List<String> heard = new CopyOnWriteArrayList<>();
        private volatile boolean destroyed;

        @Override
        public void started(Election.Term term) {
            heard.add(destroyed ? "started too late" : "started");
        }

        @Override
        public void ended(Election.Term term) {
            try {
                Thread.sleep(200); // as one that has something to end
            } catch (InterruptedException closing) {
                throw new AssertionError(closing);
            }
            heard.add(destroyed ? "ended too late" : "ended");
        }

        @Override
        public void destroy() {
            destroyed = true;
        }
    }

    @Configuration(proxyBeanMethods = false)
    static class Application {
        @Bean
        Shard shard() {
            return new Shard();
        }

        @Bean
        ElectionLifecycle leader(Baton baton, Shard shard) {
            return new ElectionLifecycle(baton.election("shard"), shard);
        }
    }

    @Test
    void contextThatCloses_handsOverAtOnce_andItsListenerEndsBeforeAllElse() {
        machine("memory://election-close").run(first -> {
            Shard one = first.getBean(Shard.class);
            Other.until("it leads", () -> one.heard.equals(List.of("started")));
            assertThat(first.getBean(ElectionLifecycle.class).term()).isPresent();
            machine("memory://election-close").run(second -> {
                Shard other = second.getBean(Shard.class);
                ElectionLifecycle waiting = second.getBean(ElectionLifecycle.class);
                Election seen = second.getBean(Baton.class).election("shard");
                Other.until("the other waits", () -> seen.candidates().size() == 1);
                assertThat(waiting.term()).isEmpty();
                long start = System.nanoTime();
                first.close();
                assertThat(one.heard).containsExactly("started", "ended");
                assertThat(first.getBeanFactory().containsSingleton("shard")).isFalse();
                Other.until("the other leads", () -> other.heard.equals(List.of("started")));
                // The lease is 30 s.
                assertThat(Duration.ofNanos(System.nanoTime() - start)).isLessThan(Duration.ofSeconds(15));
                assertThat(waiting.term()).isPresent();
            });
        });
    }

    @Test
    void contextThatStopsAndStarts_standsAgain() {
        machine("memory://election-restart").run(context -> {
            Shard shard = context.getBean(Shard.class);
            Other.until("it leads", () -> shard.heard.size() == 1);
            ElectionLifecycle lifecycle = context.getBean(ElectionLifecycle.class);
            context.stop();
            assertThat(lifecycle.isRunning()).isFalse();
            assertThat(lifecycle.term()).isEmpty();
            assertThat(shard.heard).containsExactly("started", "ended");
            context.start();
            Other.until("it leads again", () -> shard.heard.size() == 3);
            assertThat(lifecycle.isRunning()).isTrue();
        });
    }

    @Test
    void storeThatIsAwayAtTheStart_delaysTheCandidate() {
        AtomicBoolean there = new AtomicBoolean();
        machine("memory://unused")
                .withPropertyValues("baton.connect-timeout=300ms")
                .withBean(BatonConnectionDetails.class, () -> () -> {
                    if (!there.get()) {
                        throw new IllegalStateException("the store is away");
                    }
                    return "memory://election-late";
                })
                .run(context -> {
                    assertThat(context).hasNotFailed();
                    Shard shard = context.getBean(Shard.class);
                    assertThat(shard.heard).isEmpty();
                    there.set(true);
                    Other.until("it leads", () -> shard.heard.equals(List.of("started")));
                });
    }

    /** The store never comes: closing must neither wait for it, nor leave a thread behind. */
    @Test
    void contextWhoseStoreIsAway_closes() throws Exception {
        machine("memory://unused")
                .withBean(BatonConnectionDetails.class, () -> () -> {
                    throw new IllegalStateException("the store is away");
                })
                .run(context -> assertThat(context).hasNotFailed());
        Other.until("no thread is left", () -> Thread.getAllStackTraces().keySet().stream()
                .noneMatch(thread -> thread.getName().equals("baton-spring-begin")));
    }

    @Test
    void listenerThatDoesNotEnd_isNotAwaitedForEver() throws Exception {
        try (Baton baton = Baton.connect("memory://election-stubborn")) {
            CountDownLatch begun = new CountDownLatch(1);
            CountDownLatch mayEnd = new CountDownLatch(1);
            ElectionLifecycle lifecycle = new ElectionLifecycle(
                    baton.election("shard"),
                    term -> {
                        begun.countDown();
                        while (mayEnd.getCount() > 0) {
                            Thread.onSpinWait();
                        }
                    },
                    Duration.ofMillis(300));
            lifecycle.start();
            assertThat(begun.await(20, TimeUnit.SECONDS)).isTrue();
            long start = System.nanoTime();
            lifecycle.stop();
            assertThat(Duration.ofNanos(System.nanoTime() - start))
                    .isBetween(Duration.ofMillis(300), Duration.ofSeconds(10));
            assertThat(baton.election("shard").leader()).as("nobody leads beside it").isPresent();
            mayEnd.countDown();
            Other.until("it is free", () -> baton.election("shard").leader().isEmpty());
            assertThatIllegalArgumentException()
                    .isThrownBy(() -> new ElectionLifecycle(baton.election("x"), term -> {}, Duration.ofMillis(-1)))
                    .withMessageContaining("must not be negative");
        }
    }
}
