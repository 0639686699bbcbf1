package dev.baton.spring;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.zaxxer.hikari.HikariDataSource;
import dev.baton.Baton;
import dev.baton.BatonEvent;
import dev.baton.Job;
import dev.baton.JobOptions;
import dev.baton.Schedule;
import dev.baton.spring.boot.BatonAutoConfiguration;
import dev.baton.spring.boot.BatonConnectionDetails;
import dev.baton.spring.boot.BatonOptionsCustomizer;
import java.lang.reflect.Method;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import javax.sql.DataSource;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.springframework.aop.support.AopUtils;
import org.springframework.boot.LazyInitializationBeanFactoryPostProcessor;
import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Lazy;
import org.springframework.jdbc.datasource.DataSourceTransactionManager;
import org.springframework.transaction.PlatformTransactionManager;
import org.springframework.transaction.annotation.EnableTransactionManagement;
import org.springframework.transaction.annotation.Transactional;
import org.springframework.transaction.support.TransactionSynchronizationManager;
import org.springframework.util.ClassUtils;

/** Methods that are jobs: once for each fire time on all machines, from the start of a context to its end. */
class ClusterScheduledTest {
    private static final AtomicInteger NUMBER = new AtomicInteger();

    private final String uri = "memory://jobs-" + NUMBER.incrementAndGet();

    private ApplicationContextRunner machine(Class<?> bean) {
        return new ApplicationContextRunner()
                .withConfiguration(AutoConfigurations.of(BatonAutoConfiguration.class))
                .withUserConfiguration(bean)
                .withPropertyValues("baton.uri=" + uri, "baton.connect-timeout=20s");
    }

    // ---- at its times --------------------------------------------------------------------------------------------

    static class Ticking {
        final Queue<Instant> runs = new ConcurrentLinkedQueue<>();

        @ClusterScheduled(name = "tick", every = "1s")
        public void run(Job.Run run) {
            assertThat(run.lease().isHeld()).isTrue();
            assertThat(run.attempt()).isEqualTo(1);
            runs.add(run.fireTime());
        }
    }

    private void expectOnce(ApplicationContextRunner machine) {
        machine.run(first -> {
            Ticking one = first.getBean(Ticking.class);
            List<Instant> all = new ArrayList<>();
            machine.run(second -> {
                Ticking other = second.getBean(Ticking.class);
                assertThat(second.getBean(Baton.class)).isNotSameAs(first.getBean(Baton.class));
                Other.until("three fire times", () -> one.runs.size() + other.runs.size() >= 3);
                second.close();
                all.addAll(other.runs);
            });
            int before = one.runs.size();
            Other.until("the first machine goes on", () -> one.runs.size() >= before + 2);
            all.addAll(one.runs);
            assertThat(all).doesNotHaveDuplicates().allMatch(each -> each.toEpochMilli() % 1_000 == 0);
        });
    }

    @Test
    void job_onTwoMachines_runsEachFireTimeOnce_andGoesOnWithoutOne() {
        expectOnce(machine(Ticking.class));
    }

    @Test
    void job_onTwoMachinesOfOneDatabase_runsEachFireTimeOnce() {
        expectOnce(machine(Ticking.class)
                .withPropertyValues("baton.uri=jdbc:h2:mem:jobs" + NUMBER.incrementAndGet() + ";DB_CLOSE_DELAY=-1"));
    }

    static class Configured {
        final AtomicInteger runs = new AtomicInteger();

        @ClusterScheduled(
                name = "${app.name}",
                cron = "#{'* * * * * ' + '${app.days}'}",
                zone = "${app.zone}",
                atLeast = "${app.least}",
                atMost = "${app.most}")
        void run() {
            runs.incrementAndGet();
        }
    }

    @Test
    void attributes_takePlaceholdersAndExpressions() {
        machine(Configured.class)
                .withPropertyValues(
                        "app.name=configured", "app.days=*", "app.zone=Asia/Tokyo", "app.least=10ms", "app.most=PT5S")
                .run(context -> {
                    Configured bean = context.getBean(Configured.class);
                    Other.until("it runs", () -> bean.runs.get() >= 1);
                    Other.until("it is recorded", () -> states(context.getBean(Baton.class), "configured")
                            .contains(Job.State.SUCCEEDED));
                });
    }

    private static List<Job.State> states(Baton baton, String job) {
        return baton.job(job).history().stream().map(Job.RecordedRun::state).toList();
    }

    static class Slow {
        final AtomicInteger interrupted = new AtomicInteger();

        @ClusterScheduled(name = "slow", every = "1s", atMost = "100ms")
        void run() throws InterruptedException {
            try {
                assertThat(new CountDownLatch(1).await(20, TimeUnit.SECONDS)).isTrue();
            } catch (InterruptedException late) {
                interrupted.incrementAndGet();
                throw late;
            }
        }
    }

    @Test
    void run_beyondAtMost_isInterrupted_andRecordedAsFailed() {
        machine(Slow.class).run(context -> {
            Slow bean = context.getBean(Slow.class);
            Other.until("it is interrupted", () -> bean.interrupted.get() >= 1);
            Other.until(
                    "it is recorded",
                    () -> states(context.getBean(Baton.class), "slow").contains(Job.State.FAILED));
        });
    }

    /** As Spring reads cron expressions: a time that clocks skip is not run that day, and one that they show twice runs twice. */
    @ParameterizedTest
    @CsvSource({
        "2026-03-28T20:00:00Z, 2026-03-30T00:30:00Z, 2026-03-31T00:30:00Z",
        "2026-10-24T20:00:00Z, 2026-10-25T00:30:00Z, 2026-10-25T01:30:00Z",
        "2026-07-01T00:30:00Z, 2026-07-02T00:30:00Z, 2026-07-03T00:30:00Z"
    })
    void cron_whenClocksChange_isReadAsSpringDoes(Instant after, Instant first, Instant second) throws Exception {
        Class<?> type = ClassUtils.resolveClassName(
                "dev.baton.spring.internal.CronSchedule", ClusterScheduledTest.class.getClassLoader());
        Method of = type.getDeclaredMethod("of", String.class, String.class);
        of.setAccessible(true);
        Schedule schedule = (Schedule) of.invoke(null, "0 30 2 * * *", "Europe/Berlin");
        assertThat(schedule.next(after)).contains(first);
        assertThat(schedule.next(first)).contains(second);
        assertThat(schedule.next(first.minusMillis(1))).contains(first);
    }

    static class Failing {
        final AtomicInteger runs = new AtomicInteger();

        @ClusterScheduled(name = "failing", every = "1s")
        void run() {
            if (runs.incrementAndGet() == 1) {
                throw new IllegalStateException("no mail server");
            }
        }
    }

    @Test
    void exception_isTheOutcomeOfTheRun_andTheScheduleGoesOn() {
        Queue<String> failures = new ConcurrentLinkedQueue<>();
        machine(Failing.class)
                .withBean(BatonOptionsCustomizer.class, () -> options -> options.listener(event -> {
                    if (event.type() == BatonEvent.Type.JOB_FAILED) {
                        failures.add(event.detail());
                    }
                }))
                .run(context -> {
                    Failing bean = context.getBean(Failing.class);
                    Other.until("it runs again", () -> bean.runs.get() >= 2);
                    Baton baton = context.getBean(Baton.class);
                    Other.until("both are recorded", () -> states(baton, "failing")
                            .containsAll(List.of(Job.State.FAILED, Job.State.SUCCEEDED)));
                    // The exception itself, and not the one of reflection around it.
                    assertThat(failures).singleElement().asString()
                            .contains("java.lang.IllegalStateException: no mail server")
                            .doesNotContain("InvocationTargetException");
                });
    }

    static class Hidden {
        @ClusterScheduled(name = "hidden", every = "1s")
        Object run() {
            return new java.util.concurrent.CompletableFuture<>();
        }
    }

    @Test
    void run_whoseResultGoesOn_butIsHidden_hasFailed() {
        machine(Hidden.class)
                .run(context -> Other.until("it is recorded", () -> states(context.getBean(Baton.class), "hidden")
                        .contains(Job.State.FAILED)));
    }

    // ---- proxies -------------------------------------------------------------------------------------------------

    interface Books {
        void close(Job.Run run);
    }

    static class LockedBooks implements Books {
        static final Queue<Boolean> FREE_MEANWHILE = new ConcurrentLinkedQueue<>();
        static volatile @Nullable Baton other;

        @Override
        @Locked("books")
        @ClusterScheduled(name = "books", every = "1s")
        public void close(Job.Run run) {
            Baton asking = other;
            FREE_MEANWHILE.add(asking == null || asking.lock("books").tryAcquire().isPresent());
        }
    }

    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void proxy_ofTheBean_isCalled_soALockedMethodIsLocked(boolean ofTheClass) {
        LockedBooks.FREE_MEANWHILE.clear();
        try (Baton other = Baton.connect(uri)) {
            LockedBooks.other = other;
            machine(LockedBooks.class)
                    .withPropertyValues("spring.aop.proxy-target-class=" + ofTheClass)
                    .run(context -> {
                        Books bean = context.getBean(Books.class);
                        assertThat(AopUtils.isCglibProxy(bean)).isEqualTo(ofTheClass);
                        assertThat(AopUtils.isJdkDynamicProxy(bean)).isNotEqualTo(ofTheClass);
                        Other.until("it runs", () -> !LockedBooks.FREE_MEANWHILE.isEmpty());
                    });
        }
        assertThat(LockedBooks.FREE_MEANWHILE).containsOnly(false);
    }

    static class TransactionalBooks {
        final Queue<Boolean> transactions = new ConcurrentLinkedQueue<>();

        @Transactional
        @ClusterScheduled(name = "books", every = "1s")
        public void close() {
            transactions().add(TransactionSynchronizationManager.isActualTransactionActive());
        }

        Queue<Boolean> transactions() {
            return transactions;
        }
    }

    @Configuration(proxyBeanMethods = false)
    @EnableTransactionManagement
    static class Database {
        @Bean
        HikariDataSource dataSource() {
            HikariDataSource source = new HikariDataSource();
            source.setJdbcUrl("jdbc:h2:mem:books;DB_CLOSE_DELAY=-1");
            return source;
        }

        @Bean
        PlatformTransactionManager transactions(DataSource source) {
            return new DataSourceTransactionManager(source);
        }
    }

    @Test
    void transactionalMethod_runsInATransaction() {
        machine(TransactionalBooks.class).withUserConfiguration(Database.class).run(context -> {
            Queue<Boolean> transactions =
                    context.getBean(TransactionalBooks.class).transactions();
            Other.until("it runs", () -> !transactions.isEmpty());
            assertThat(transactions).containsOnly(true);
        });
    }

    // ---- begin and end -------------------------------------------------------------------------------------------

    /** Two machines have recorded nothing for two hours: the last fire time is due at once, and the next one far away. */
    private void letOneFireTimeBeDue(Baton baton) throws InterruptedException {
        Instant past = Instant.ofEpochMilli(System.currentTimeMillis()).minus(Duration.ofHours(3));
        Instant fireTime = Schedule.every(Duration.ofHours(1)).next(past).orElseThrow();
        assertThat(baton.job("working").run(fireTime, run -> {}).outcome()).isEqualTo(Job.Outcome.RAN);
    }

    static class Working {
        static volatile CountDownLatch mayEnd = new CountDownLatch(1);

        final CountDownLatch begun = new CountDownLatch(1);
        final Queue<Integer> attempts = new ConcurrentLinkedQueue<>();
        volatile boolean interrupted;

        @ClusterScheduled(name = "working", every = "1h", afterDeath = JobOptions.AfterDeath.RERUN)
        void run(Job.Run run) throws InterruptedException {
            attempts.add(run.attempt());
            begun.countDown();
            try {
                assertThat(mayEnd.await(20, TimeUnit.SECONDS)).isTrue();
            } catch (InterruptedException closing) {
                interrupted = true;
                throw closing;
            }
        }
    }

    @Test
    void contextThatCloses_awaitsTheRun_andItsOutcomeIsRecorded() throws Exception {
        Working.mayEnd = new CountDownLatch(1);
        try (Baton other = Baton.connect(uri)) {
            letOneFireTimeBeDue(other);
            machine(Working.class).run(context -> {
                Working bean = context.getBean(Working.class);
                assertThat(bean.begun.await(20, TimeUnit.SECONDS)).isTrue();
                Thread closing = new Thread(context::close);
                closing.start();
                closing.join(500);
                assertThat(closing.isAlive()).as("the context waits").isTrue();
                assertThat(states(other, "working").get(0)).isEqualTo(Job.State.RUNNING);
                Working.mayEnd.countDown();
                closing.join(TimeUnit.SECONDS.toMillis(20));
                assertThat(closing.isAlive()).isFalse();
                assertThat(bean.interrupted).isFalse();
            });
            assertThat(states(other, "working").get(0)).isEqualTo(Job.State.SUCCEEDED);
        }
    }

    @Test
    void runThatOutlastsItsPatience_isInterrupted_andAnotherMachineRunsItAgain() throws Exception {
        Working.mayEnd = new CountDownLatch(1);
        try (Baton other = Baton.connect(uri)) {
            letOneFireTimeBeDue(other);
            machine(Working.class)
                    .withPropertyValues("baton.jobs.await-termination=100ms")
                    .run(context -> {
                        Working bean = context.getBean(Working.class);
                        assertThat(bean.begun.await(20, TimeUnit.SECONDS)).isTrue();
                        // While everything else of the context works still.
                        context.stop();
                        Other.until("it is interrupted", () -> bean.interrupted);
                    });
            assertThat(states(other, "working").get(0)).isEqualTo(Job.State.RUNNING);
            Working.mayEnd.countDown();
            machine(Working.class).run(context -> {
                Working bean = context.getBean(Working.class);
                Other.until("it runs again", () -> !bean.attempts.isEmpty());
                assertThat(bean.attempts).containsExactly(2);
            });
            assertThat(states(other, "working").get(0)).isEqualTo(Job.State.SUCCEEDED);
        }
    }

    @Test
    void contextThatStopsAndStarts_runsItsJobsAgain() {
        machine(Ticking.class).run(context -> {
            Ticking bean = context.getBean(Ticking.class);
            Other.until("it runs", () -> !bean.runs.isEmpty());
            context.stop();
            int before = bean.runs.size();
            Thread.sleep(1_500);
            assertThat(bean.runs).hasSize(before);
            context.start();
            Other.until("it runs again", () -> bean.runs.size() > before);
            assertThat(bean.runs).doesNotHaveDuplicates();
        });
    }

    @Configuration(proxyBeanMethods = false)
    static class LazyBean {
        @Bean
        @Lazy
        Ticking ticking() {
            return new Ticking();
        }
    }

    @Test
    void lazyBean_beginsWhenItIsMade() {
        machine(LazyBean.class).run(context -> {
            Thread.sleep(1_500);
            assertThat(context.getBean(Baton.class).job("tick").history()).isEmpty();
            Ticking bean = context.getBean(Ticking.class);
            Other.until("it runs", () -> !bean.runs.isEmpty());
        });
    }

    @Test
    void applicationThatInitializesLazily_makesBeansWithJobs() {
        machine(Ticking.class)
                .withInitializer(context ->
                        context.addBeanFactoryPostProcessor(new LazyInitializationBeanFactoryPostProcessor()))
                .run(context -> {
                    assertThat(context.getBeanFactory().containsSingleton("baton")).isTrue();
                    Baton baton = context.getBean(Baton.class);
                    Other.until("it runs", () -> !baton.job("tick").history().isEmpty());
                });
    }

    @Test
    void storeThatIsAwayAtTheStart_delaysTheJobs_andHandlesOfJobsAreThereAtOnce() {
        AtomicBoolean there = new AtomicBoolean();
        machine(Ticking.class)
                .withBean(BatonConnectionDetails.class, () -> () -> {
                    if (!there.get()) {
                        throw new IllegalStateException("the store is away");
                    }
                    return uri;
                })
                .run(context -> {
                    assertThat(context).hasNotFailed();
                    Job early = context.getBean(Baton.class).job("tick");
                    assertThatThrownBy(early::history).hasMessageContaining("the store is away");
                    Ticking bean = context.getBean(Ticking.class);
                    assertThat(bean.runs).isEmpty();
                    there.set(true);
                    Other.until("it runs", () -> !bean.runs.isEmpty());
                    assertThat(early.history()).isNotEmpty();
                });
    }

    static class Never {
        final AtomicInteger runs = new AtomicInteger();

        @ClusterScheduled(name = "tick", cron = "-")
        void byCron() {
            runs.incrementAndGet();
        }

        @ClusterScheduled(name = "tick", every = "${app.every:-}")
        void byPeriod() {
            runs.incrementAndGet();
        }
    }

    @ParameterizedTest
    @CsvSource({"Ticking, false", "Never, true"})
    void jobs_thatAreDisabled_doNotRun(String bean, boolean enabled) throws Exception {
        machine(Class.forName(ClusterScheduledTest.class.getName() + '$' + bean))
                .withPropertyValues("baton.jobs.enabled=" + enabled)
                .run(context -> {
                    assertThat(context).hasNotFailed();
                    Thread.sleep(1_500);
                    assertThat(context.getBean(Baton.class).job("tick").history()).isEmpty();
                });
    }

    /** Strict placeholders, as of an application of Boot. */
    @Configuration(proxyBeanMethods = false)
    static class StrictPlaceholders {
        @Bean
        static org.springframework.context.support.PropertySourcesPlaceholderConfigurer placeholders() {
            return new org.springframework.context.support.PropertySourcesPlaceholderConfigurer();
        }
    }

    @Test
    void placeholder_thatNothingResolves_isRefused_alsoWherePlaceholdersAreStrict() {
        expectRefused(
                machine(UnknownPlaceholder.class).withUserConfiguration(StrictPlaceholders.class),
                "@ClusterScheduled on UnknownPlaceholder.run of the bean \"",
                "has a placeholder in cron that nothing resolves: \"${app.unknown}\"");
    }

    // ---- what keeps an application from starting -----------------------------------------------------------------

    static class PrivateMethod {
        @ClusterScheduled(name = "x", every = "1s")
        @SuppressWarnings("unused")
        private void run() {}
    }

    static class StaticMethod {
        @ClusterScheduled(name = "x", every = "1s")
        static void run() {}
    }

    static class FinalMethodBehindAProxy {
        @ClusterScheduled(name = "x", every = "1s")
        public final void run() {}

        @Locked("x")
        public void locked() {}
    }

    static class OtherParameter {
        @ClusterScheduled(name = "x", every = "1s")
        void run(String text) {}
    }

    static class TwoParameters {
        @ClusterScheduled(name = "x", every = "1s")
        void run(Job.Run run, Job.Run again) {}
    }

    static class ReturnsAFuture {
        @ClusterScheduled(name = "x", every = "1s")
        java.util.concurrent.CompletableFuture<String> run() {
            return new java.util.concurrent.CompletableFuture<>();
        }
    }

    static class ReturnsAMono {
        @ClusterScheduled(name = "x", every = "1s")
        reactor.core.publisher.Mono<String> run() {
            return reactor.core.publisher.Mono.empty();
        }
    }

    static class ScheduledToo {
        @org.springframework.scheduling.annotation.Scheduled(fixedRate = 1_000)
        @ClusterScheduled(name = "x", every = "1s")
        void run() {}
    }

    static class AsyncToo {
        @org.springframework.scheduling.annotation.Async
        @ClusterScheduled(name = "x", every = "1s")
        public void run() {}
    }

    static class EmptyName {
        @ClusterScheduled(name = " ", every = "1s")
        void run() {}
    }

    static class UnknownPlaceholder {
        @ClusterScheduled(name = "x", cron = "${app.unknown}")
        void run() {}
    }

    static class NoTimes {
        @ClusterScheduled(name = "x")
        void run() {}
    }

    static class CronAndPeriod {
        @ClusterScheduled(name = "x", cron = "* * * * * *", every = "1s")
        void run() {}
    }

    static class UnreadableCron {
        @ClusterScheduled(name = "x", cron = "0 3 * * *")
        void run() {}
    }

    static class CronThatNeverFires {
        @ClusterScheduled(name = "x", cron = "0 0 0 31 2 *", zone = "UTC")
        void run() {}
    }

    static class UnknownZone {
        @ClusterScheduled(name = "x", cron = "0 0 3 * * *", zone = "Europe/Atlantis")
        void run() {}
    }

    static class ZoneOfAPeriod {
        @ClusterScheduled(name = "x", every = "1s", zone = "UTC")
        void run() {}
    }

    static class PeriodThatIsTooShort {
        @ClusterScheduled(name = "x", every = "100ms")
        void run() {}
    }

    static class UnreadableTime {
        @ClusterScheduled(name = "x", every = "1s", atMost = "soon")
        void run() {}
    }

    static class AtLeastAboveThePeriod {
        @ClusterScheduled(name = "x", cron = "0 0 * * * *", zone = "UTC", atLeast = "2h")
        void run() {}
    }

    static class AtLeastAboveAtMost {
        @ClusterScheduled(name = "x", cron = "0 0 3 * * *", atLeast = "23h", atMost = "20m")
        void run() {}
    }

    static class OneNameTwice {
        @ClusterScheduled(name = "x", every = "1s")
        void run() {}

        @ClusterScheduled(name = "x", every = "2s")
        void runAgain() {}
    }

    static class NoSuchClient {
        @ClusterScheduled(name = "x", every = "1s", baton = "elsewhere")
        void run() {}
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "PrivateMethod | run | a private method has no advice; make it visible",
                "StaticMethod | run | leave out static",
                "FinalMethodBehindAProxy | run | cannot override a final method",
                "OtherParameter | run | take none, or one dev.baton.Job.Run",
                "TwoParameters | run | take none, or one dev.baton.Job.Run",
                "ReturnsAFuture | run | wait for it in the method",
                "ReturnsAMono | run | wait for it in the method",
                "ScheduledToo | run | is @Scheduled as well",
                "AsyncToo | run | is @Async as well",
                "EmptyName | run | has an empty name",
                "UnknownPlaceholder | run | has a placeholder in cron that nothing resolves: \"${app.unknown}\"",
                "NoTimes | run | has neither cron nor every",
                "CronAndPeriod | run | has both cron and every",
                "UnreadableCron | run | write six fields",
                "CronThatNeverFires | run | (cron 0 0 0 31 2 * in UTC) has no fire time after",
                "UnknownZone | run | has an unknown zone: \"Europe/Atlantis\"",
                "ZoneOfAPeriod | run | leave zone out",
                "PeriodThatIsTooShort | run | cannot use every: the period must be at least one second",
                "UnreadableTime | run | has no time for atMost: \"soon\"",
                "AtLeastAboveThePeriod | run | has fire times only PT1H apart",
                "AtLeastAboveAtMost | run | atLeast must not be longer than atMost",
                "OneNameTwice | run | has the name \"x\", which is that of OneNameTwice.run",
                "NoSuchClient | run | has no client: name the bean in baton"
            })
    void whatCannotWork_keepsTheApplicationFromStarting(String type, String method, String why) throws Exception {
        Class<?> bean = Class.forName(ClusterScheduledTest.class.getName() + '$' + type);
        expectRefused(
                machine(bean), "@ClusterScheduled on " + type + '.' + method, " of the bean \"", why);
    }

    private static void expectRefused(ApplicationContextRunner machine, String... parts) {
        machine.run(context -> {
            assertThat(context).hasFailed();
            StringBuilder all = new StringBuilder();
            for (Throwable each = context.getStartupFailure(); each != null; each = each.getCause()) {
                all.append(each.getMessage()).append('\n');
            }
            assertThat(all.toString()).contains(parts);
        });
    }

    interface WithoutTheMethod {
        void other();
    }

    static class BehindAnInterface implements WithoutTheMethod {
        @Locked("x")
        @ClusterScheduled(name = "x", every = "1s")
        public void run() {}

        @Override
        public void other() {}
    }

    @Test
    void methodThatTheProxyDoesNotHave_isRefused() {
        expectRefused(
                machine(BehindAnInterface.class).withPropertyValues("spring.aop.proxy-target-class=false"),
                "@ClusterScheduled on BehindAnInterface.run of the bean \"",
                "not found in any interface(s)");
    }

    @Configuration(proxyBeanMethods = false)
    static class PrototypeBean {
        @Bean
        @org.springframework.context.annotation.Scope("prototype")
        Ticking ticking() {
            return new Ticking();
        }
    }

    @Test
    void prototype_isRefusedWhenItIsMade() {
        machine(PrototypeBean.class).run(context -> {
            assertThat(context).hasNotFailed();
            assertThatThrownBy(() -> context.getBean(Ticking.class)).rootCause().hasMessageContaining("not a singleton");
        });
    }
}
