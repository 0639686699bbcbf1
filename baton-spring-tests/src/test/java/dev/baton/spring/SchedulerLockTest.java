package dev.baton.spring;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.baton.Baton;
import dev.baton.shedlock.BatonLockProvider;
import dev.baton.spring.boot.BatonAutoConfiguration;
import java.time.Duration;
import java.time.Instant;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicInteger;
import net.javacrumbs.shedlock.core.LockExtender;
import net.javacrumbs.shedlock.core.LockProvider;
import net.javacrumbs.shedlock.core.SimpleLock;
import net.javacrumbs.shedlock.spring.annotation.EnableSchedulerLock;
import net.javacrumbs.shedlock.spring.annotation.SchedulerLock;
import org.junit.jupiter.api.Test;
import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.scheduling.annotation.EnableScheduling;
import org.springframework.scheduling.annotation.Scheduled;

/** Jobs with ShedLock's own annotation, whose locks Baton keeps: nodes are contexts with a client each. */
class SchedulerLockTest {
    private static final AtomicInteger NUMBER = new AtomicInteger();

    private final String uri = "memory://scheduler-lock-" + NUMBER.incrementAndGet();

    private ApplicationContextRunner node(Class<?> job) {
        return new ApplicationContextRunner()
                .withConfiguration(AutoConfigurations.of(BatonAutoConfiguration.class))
                .withUserConfiguration(Application.class, job)
                .withPropertyValues("baton.uri=" + uri, "baton.connect-timeout=20s");
    }

    @Configuration(proxyBeanMethods = false)
    @EnableScheduling
    @EnableSchedulerLock(defaultLockAtMostFor = "10s")
    static class Application {
        @Bean
        LockProvider lockProvider(Baton baton) {
            LockProvider provider = new BatonLockProvider(baton);
            return wanted -> {
                Optional<SimpleLock> lock = provider.lock(wanted);
                if (lock.isPresent()) {
                    Frequent.GRANTS.add(new Grant(Instant.now(), wanted.getLockAtLeastUntil()));
                }
                return lock;
            };
        }
    }

    /**
     * A lock that a node got.
     *
     * @param noted not before it was granted, and before the node could end it
     * @param least until when nobody else may get it
     */
    private record Grant(Instant noted, Instant least) {}

    /** A job that is due twenty times a second on each node, and may run every 200 ms. */
    static class Frequent {
        private static final Queue<Grant> GRANTS = new ConcurrentLinkedQueue<>();
        private static final AtomicInteger INSIDE = new AtomicInteger();
        private static final AtomicInteger OVERLAPS = new AtomicInteger();

        final AtomicInteger runs = new AtomicInteger();

        @Scheduled(fixedRate = 50)
        @SchedulerLock(name = "frequent", lockAtLeastFor = "200ms")
        public void run() throws InterruptedException {
            OVERLAPS.addAndGet(INSIDE.getAndIncrement());
            runs.incrementAndGet();
            try {
                Thread.sleep(20); // which the end of a context interrupts
            } finally {
                INSIDE.decrementAndGet();
            }
        }

        int runs() {
            return runs.get();
        }
    }

    @Test
    void job_onThreeNodes_runsOnceInItsTime_andGoesOnWithoutANode() {
        Frequent.GRANTS.clear();
        node(Frequent.class).run(first -> {
            node(Frequent.class).run(second -> node(Frequent.class).run(third -> {
                Other.until("ten runs", () -> Frequent.GRANTS.size() >= 10);
            }));
            int before = first.getBean(Frequent.class).runs();
            Other.until(
                    "the last node runs it", () -> first.getBean(Frequent.class).runs() >= before + 3);
        });
        assertThat(Frequent.OVERLAPS).as("runs beside another").hasValue(0);
        List<Grant> grants = Frequent.GRANTS.stream()
                .sorted(Comparator.comparing(Grant::noted))
                .toList();
        for (int i = 1; i < grants.size(); i++) {
            // However late a thread runs: it can only note a grant too late. Clocks of two kinds may differ a little.
            assertThat(grants.get(i).noted())
                    .as("run %d of %d", i, grants.size())
                    .isAfter(grants.get(i - 1).least().minusMillis(20));
        }
    }

    /** A job that is called by hand. */
    static class OnCall {
        final AtomicInteger runs = new AtomicInteger();

        @SchedulerLock(name = "on call", lockAtMostFor = "5s")
        public void run(Runnable inside) {
            runs.incrementAndGet();
            inside.run();
        }

        int runs() {
            return runs.get();
        }
    }

    @Test
    void job_isSkipped_whileAnotherNodeHasTheLockAtTheStore() {
        node(OnCall.class).run(context -> {
            try (Other other = new Other(uri)) {
                OnCall job = context.getBean(OnCall.class);
                job.run(() -> other.expectRefused("on call"));
                other.expectGranted("on call");
                try (AutoCloseable held = other.take("on call")) {
                    assertThat(held).isNotNull();
                    job.run(() -> {});
                }
                assertThat(job.runs()).isEqualTo(1);
            }
        });
    }

    /** The job extends its lock: it stays locked for longer than its annotation says. */
    @Test
    void job_extendsItsLock() {
        node(OnCall.class).run(context -> {
            try (Other other = new Other(uri)) {
                context.getBean(OnCall.class).run(() -> {
                    LockExtender.extendActiveLock(Duration.ofSeconds(30), Duration.ZERO);
                    staysRefused(other, Duration.ofMillis(6_500));
                });
                other.expectGranted("on call");
            }
        });
    }

    private static void staysRefused(Other other, Duration time) {
        long end = System.nanoTime() + time.toNanos();
        do {
            other.expectRefused("on call");
            pause();
        } while (System.nanoTime() < end);
    }

    private static void pause() {
        try {
            Thread.sleep(20);
        } catch (InterruptedException interrupted) {
            throw new AssertionError(interrupted);
        }
    }

    /** A store that does not answer is no node that runs the job: the caller hears of it. */
    @Test
    void job_whoseStoreIsClosed_failsInsteadOfBeingSkipped() {
        node(OnCall.class).run(context -> {
            context.getBean(Baton.class).close();
            OnCall job = context.getBean(OnCall.class);
            assertThatThrownBy(() -> job.run(() -> {})).hasMessageContaining("closed");
            assertThat(job.runs()).isZero();
        });
    }
}
