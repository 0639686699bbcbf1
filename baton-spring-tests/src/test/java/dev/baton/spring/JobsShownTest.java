package dev.baton.spring;

import static org.assertj.core.api.Assertions.assertThat;

import dev.baton.Baton;
import dev.baton.Job;
import dev.baton.JobOptions;
import dev.baton.spring.boot.BatonAutoConfiguration;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import java.lang.reflect.Method;
import java.lang.reflect.Proxy;
import java.time.Duration;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.test.context.assertj.AssertableApplicationContext;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.util.ClassUtils;

/** What an application shows of its jobs: health and meters. */
class JobsShownTest {
    private static ApplicationContextRunner runner() {
        Class<?>[] all = Stream.of("BatonAutoConfiguration", "BatonMetersAutoConfiguration", "HealthOfBoot3", "HealthOfBoot4")
                .map(each -> ClassUtils.resolveClassName(
                        BatonAutoConfiguration.class.getPackageName() + '.' + each,
                        JobsShownTest.class.getClassLoader()))
                .toArray(Class<?>[]::new);
        return new ApplicationContextRunner()
                .withConfiguration(AutoConfigurations.of(all))
                .withUserConfiguration(Ticking.class)
                .withPropertyValues("baton.connect-timeout=20s");
    }

    static class Ticking {
        /** All of them: on a machine that stands still for seconds, some would be missed otherwise. */
        @ClusterScheduled(name = "tick", every = "1s", catchUp = JobOptions.CatchUp.ALL)
        void run() {}
    }

    /** Boot 3 and 4 have different types for it. */
    private static Object health(AssertableApplicationContext context, String property) {
        try {
            Object indicator = context.getBean("batonHealthIndicator");
            Method method = indicator.getClass().getMethod("health");
            method.setAccessible(true);
            Object health = Objects.requireNonNull(method.invoke(indicator));
            return Objects.requireNonNull(health.getClass().getMethod(property).invoke(health));
        } catch (ReflectiveOperationException wrong) {
            throw new AssertionError(wrong);
        }
    }

    @SuppressWarnings("unchecked")
    private static Map<String, Object> jobs(AssertableApplicationContext context) {
        return (Map<String, Object>) ((Map<String, Object>) health(context, "getDetails")).getOrDefault("jobs", Map.of());
    }

    @SuppressWarnings("unchecked")
    private static Map<String, Object> job(AssertableApplicationContext context) {
        return (Map<String, Object>) jobs(context).getOrDefault("tick", Map.of());
    }

    @Test
    void health_showsEachJob() {
        runner().withPropertyValues("baton.uri=memory://jobs-health").run(context -> {
            Other.until("it has run", () -> job(context).get("lastOutcome") == Job.Outcome.RAN);
            assertThat(job(context)).containsKeys("nextFireTime", "overdue", "lastFireTime").containsEntry("missed", 0L);
            assertThat(health(context, "getStatus")).hasToString("UP");
        });
    }

    @Test
    void health_ofAnApplicationWithoutJobs_tellsOfNone() {
        runner().withPropertyValues("baton.uri=memory://jobs-none", "baton.jobs.enabled=false").run(context -> {
            assertThat(health(context, "getStatus")).hasToString("UP");
            assertThat(jobs(context)).isEmpty();
        });
    }

    /** Its schedules have been overdue for five minutes. */
    private static Baton overdue(boolean storeAnswers) {
        Baton real = Baton.connect("memory://jobs-overdue");
        Job job = (Job) Proxy.newProxyInstance(
                Job.class.getClassLoader(), new Class<?>[] {Job.class}, (proxy, method, arguments) -> new Late());
        return (Baton) Proxy.newProxyInstance(
                Baton.class.getClassLoader(), new Class<?>[] {Baton.class}, (proxy, method, arguments) -> {
                    if (method.getName().equals("job")) {
                        return job;
                    }
                    if (method.getName().equals("ping") && !storeAnswers) {
                        throw new IllegalStateException("the store is away");
                    }
                    return method.invoke(real, arguments);
                });
    }

    private static final class Late implements Job.Scheduled {
        @Override
        public Optional<java.time.Instant> nextFireTime() {
            return Optional.empty();
        }

        @Override
        public Duration overdue() {
            return Duration.ofMinutes(5);
        }

        @Override
        public long missed() {
            return 2;
        }

        @Override
        public Optional<Job.Result> lastResult() {
            return Optional.empty();
        }

        @Override
        public CompletableFuture<Void> stop() {
            return CompletableFuture.completedFuture(null);
        }

        @Override
        public void close() {}
    }

    @ParameterizedTest
    @CsvSource({
        "'', true, UP",
        "baton.jobs.down-when-overdue=10m, true, UP",
        "baton.jobs.down-when-overdue=1m, true, DOWN",
        "'', false, DOWN"
    })
    void health_ofAnOverdueJob_isDownOnlyIfTheApplicationWantsThat(String property, boolean storeAnswers, String status) {
        runner().withBean(Baton.class, () -> overdue(storeAnswers))
                .withPropertyValues(property.isEmpty() ? new String[0] : new String[] {property})
                .run(context -> {
                    Other.until("it has begun", () -> job(context).containsKey("overdue"));
                    assertThat(job(context))
                            .containsEntry("overdue", Duration.ofMinutes(5))
                            .containsEntry("missed", 2L);
                    assertThat(health(context, "getStatus")).hasToString(status);
                });
    }

    @Test
    void meters_haveAGaugeForEachJob() {
        runner().withPropertyValues("baton.uri=memory://jobs-meters")
                .withBean(MeterRegistry.class, SimpleMeterRegistry::new)
                .run(context -> {
                    MeterRegistry registry = context.getBean(MeterRegistry.class);
                    Other.until(
                            "the gauge is there",
                            () -> registry.find("baton.job.overdue").tag("job", "tick").gauge() != null);
                    // Seconds, and not the time since 1970. A machine that stands still lets it be overdue for some.
                    assertThat(registry.get("baton.job.overdue").gauge().value()).isBetween(0.0, 60.0);
                });
    }
}
