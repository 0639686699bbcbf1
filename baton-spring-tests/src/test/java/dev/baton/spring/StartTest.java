package dev.baton.spring;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.zaxxer.hikari.HikariDataSource;
import dev.baton.Baton;
import dev.baton.DistributedLock;
import dev.baton.Lease;
import dev.baton.servers.RedisServer;
import dev.baton.servers.ZookeeperServer;
import dev.baton.spring.boot.BatonAutoConfiguration;
import dev.baton.spring.boot.BatonConnectionDetails;
import dev.baton.spring.boot.BatonEndpoint;
import dev.baton.spring.boot.BatonProperties;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import java.io.IOException;
import java.lang.reflect.Constructor;
import java.lang.reflect.Method;
import java.lang.reflect.Parameter;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.URI;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;
import org.apache.curator.framework.CuratorFramework;
import org.apache.curator.framework.CuratorFrameworkFactory;
import org.apache.curator.retry.RetryOneTime;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.springframework.aot.hint.RuntimeHints;
import org.springframework.aot.hint.RuntimeHintsRegistrar;
import org.springframework.aot.hint.predicate.RuntimeHintsPredicates;
import org.springframework.beans.BeanUtils;
import org.springframework.beans.factory.config.BeanDefinition;
import org.springframework.beans.factory.support.BeanDefinitionRegistry;
import org.springframework.beans.factory.support.RootBeanDefinition;
import org.springframework.boot.actuate.endpoint.OperationType;
import org.springframework.boot.actuate.endpoint.invoke.reflect.OperationMethod;
import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.test.context.assertj.AssertableApplicationContext;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.boot.ssl.SslBundles;
import org.springframework.core.env.Environment;
import org.springframework.mock.env.MockEnvironment;
import org.springframework.util.ClassUtils;
import reactor.core.publisher.Mono;

/** How an application starts: its store, the mistakes that keep it from starting, and a store that is away. */
class StartTest {
    private static final List<String> CONFIGURATIONS = List.of(
            "BatonEndpointAutoConfiguration", "BatonMetersAutoConfiguration", "HealthOfBoot3", "HealthOfBoot4");

    /** As a real application has them: in the order of the file, and by name. */
    private static ApplicationContextRunner runner(String... properties) {
        List<Class<?>> all = new ArrayList<>(List.of(BatonAutoConfiguration.class));
        for (String each : CONFIGURATIONS) {
            all.add(ClassUtils.resolveClassName("dev.baton.spring.boot." + each, StartTest.class.getClassLoader()));
        }
        return new ApplicationContextRunner()
                .withConfiguration(AutoConfigurations.of(all.toArray(Class<?>[]::new)))
                // For a busy machine. A store that refuses a connection does so at once.
                .withPropertyValues("baton.connect-timeout=20s")
                .withPropertyValues(properties);
    }

    // ---- which store ---------------------------------------------------------------------------------------------

    @Test
    void application_withoutAStore_doesNotStart_andHearsWhatToSet() {
        runner().run(context -> assertThat(context.getStartupFailure())
                .rootCause()
                .hasMessageContaining("baton.uri is not set"));
    }

    @Test
    void properties_areThoseOfTheClient() {
        runner(
                        "baton.uri=memory://properties",
                        "baton.namespace=eu",
                        "baton.lease-time=20s",
                        "spring.application.name=shop")
                .run(context -> {
                    Baton baton = context.getBean(Baton.class);
                    try (Lease lease = baton.lock("x").acquire()) {
                        assertThat(lease.remaining()).isBetween(Duration.ofSeconds(8), Duration.ofSeconds(20));
                        assertThat(baton.lock("x").inspect().orElseThrow().holders().get(0).description())
                                .startsWith("shop on ");
                    }
                });
    }

    @Test
    void properties_thatAreLogged_showNoPassword() {
        runner("baton.uri=redis://:secret@127.0.0.1:1")
                .run(context -> assertThat(context.getBean(BatonProperties.class).toString())
                        .contains("namespace=baton")
                        .doesNotContain("secret"));
    }

    @Test
    void dataSource_ofTheApplication_isTheStore_andIsNotAskedBeforeItIsNeeded() {
        runner().withUserConfiguration(Database.class).run(context -> {
            assertThat(context).hasNotFailed();
            expectLockAt(Database.URL, context.getBean(Baton.class));
        });
    }

    @Configuration(proxyBeanMethods = false)
    static class Database {
        static final String URL = "jdbc:h2:mem:start;DB_CLOSE_DELAY=-1";

        @Bean
        HikariDataSource dataSource() {
            HikariDataSource source = new HikariDataSource();
            source.setJdbcUrl(URL);
            return source;
        }
    }

    @Test
    void curatorFramework_ofTheApplication_isTheStore_afterTheDataSource() {
        try (ZookeeperServer server = ZookeeperServer.start()) {
            ApplicationContextRunner curator = runner()
                    .withBean(CuratorFramework.class, () -> startedCurator(URI.create(server.uri())));
            curator.run(context -> {
                assertThat(context).hasNotFailed();
                expectLockAt(server.uri(), context.getBean(Baton.class));
                assertThat(health(context)).isEqualTo("UP");
            });
            curator.withUserConfiguration(Database.class)
                    .run(context -> expectLockAt(Database.URL, context.getBean(Baton.class)));
        }
    }

    private static CuratorFramework startedCurator(URI server) {
        CuratorFramework curator = CuratorFrameworkFactory.newClient(server.getAuthority(), new RetryOneTime(100));
        curator.start();
        return curator;
    }

    private static void expectLockAt(String uri, Baton client) throws InterruptedException {
        try (Lease lease = client.lock("x").acquire();
                Other other = new Other(uri)) {
            assertThat(lease.isHeld()).isTrue();
            other.expectRefused("x");
        }
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "spring.data.redis.host=h | redis://h:6379",
                "spring.data.redis.host=h spring.data.redis.port=7 spring.data.redis.database=3 | redis://h:7/3",
                "spring.data.redis.host=h spring.data.redis.username=u spring.data.redis.password=p@/ | redis://u:p%40%2F@h:6379",
                "spring.data.redis.host=h spring.data.redis.ssl.enabled=true | rediss://h:6379",
                "spring.data.redis.url=redis://u:p@h:7 spring.data.redis.database=3 | redis://u:p@h:7/3",
                "spring.data.redis.sentinel.master=m spring.data.redis.sentinel.nodes=a:1,b:2"
                        + " spring.data.redis.password=p spring.data.redis.sentinel.password=s"
                        + " | redis+sentinel://:p@a:1,b:2/m?sentinelPassword=s",
                "spring.data.redis.sentinel.master=m spring.data.redis.sentinel.nodes=a:1"
                        + " spring.data.redis.ssl.enabled=true spring.data.redis.database=2 | rediss+sentinel://a:1/m/2"
            })
    void redis_ofTheApplication_isTheStore(String properties, String uri) {
        assertThat(uriFrom(properties.split(" "))).isEqualTo(uri);
    }

    /** The address to which the configuration would connect: the servers of these addresses do not exist. */
    private static String uriFrom(String... properties) {
        try {
            Class<?> details = ClassUtils.resolveClassName(
                    "dev.baton.spring.boot.RedisDetails", StartTest.class.getClassLoader());
            MockEnvironment environment = new MockEnvironment();
            for (String each : properties) {
                String[] pair = each.split("=", 2);
                environment.setProperty(pair[0], pair[1]);
            }
            Method of = details.getDeclaredMethod(
                    "of",
                    Environment.class,
                    SslBundles.class);
            of.setAccessible(true);
            return ((BatonConnectionDetails) of.invoke(null, environment, null)).uri();
        } catch (ReflectiveOperationException wrong) {
            throw new AssertionError(wrong);
        }
    }

    /** With the version of Jedis that this line of Boot manages. */
    @Test
    void redis_ofTheApplication_keepsItsLocks() {
        RedisServer server = RedisServer.shared();
        runner("spring.data.redis.url=" + server.uri()).run(context -> {
            try (Lease lease = context.getBean(Baton.class).lock("spring").acquire();
                    Other other = new Other(server.uri())) {
                assertThat(lease.isHeld()).isTrue();
                other.expectRefused("spring");
                lease.release();
                other.expectGranted("spring");
            }
            assertThat(health(context)).isEqualTo("UP");
        });
    }

    @ParameterizedTest
    @CsvSource({
        "spring.data.redis.cluster.nodes=a:1, spring.data.redis.cluster: Baton does not keep locks in a Redis Cluster",
        "spring.data.redis.url=redis://h spring.data.redis.password=p, spring.data.redis.url: Baton takes user and password",
        "spring.data.redis.url=redis://h spring.data.redis.ssl.enabled=true, spring.data.redis.ssl: the URL begins with redis://"
    })
    void redis_thatTheStoreCannotUseAsItIs_isRefused_withTheProperty(String properties, String message) {
        runner(properties.split(" "))
                .run(context -> assertThat(context.getStartupFailure())
                        .rootCause()
                        .hasMessageContaining(message)
                        .hasMessageContaining("set baton.uri"));
    }

    @Test
    void connectionDetails_takeThePlaceOfProperties() {
        runner("baton.uri=redis://nobody.invalid")
                .withBean(BatonConnectionDetails.class, () -> () -> "memory://details")
                .run(context -> context.getBean(Baton.class).lock("x").run(lease -> {}));
    }

    // ---- a store that is away ------------------------------------------------------------------------------------

    private static int closedPort() {
        try (ServerSocket socket = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            return socket.getLocalPort();
        } catch (IOException none) {
            throw new AssertionError(none);
        }
    }

    @Test
    void eagerClient_whoseStoreIsAway_keepsTheApplicationFromStarting() {
        runner("baton.uri=redis://127.0.0.1:" + closedPort(), "baton.lazy=false")
                .run(context -> assertThat(context).hasFailed());
    }

    @Test
    @DisplayName("P50: lazyClient_whoseStoreIsAwayAtStart_isDown_andWorksWhenTheStoreIsThere")
    void lazyClient_whoseStoreIsAwayAtStart_isDown_andWorksWhenTheStoreIsThere() {
        AtomicBoolean there = new AtomicBoolean();
        runner()
                .withBean(BatonConnectionDetails.class, () -> () -> {
                    if (!there.get()) {
                        throw new IllegalStateException("the store is away");
                    }
                    return "memory://late";
                })
                .run(context -> {
                    Baton baton = context.getBean(Baton.class);
                    DistributedLock early = baton.lock("early");
                    Other.until("down", () -> health(context).equals("DOWN"));
                    long start = System.nanoTime();
                    assertThatThrownBy(early::acquire).hasMessageContaining("the store is away");
                    assertThatThrownBy(() -> early.acquireAsync().get(20, TimeUnit.SECONDS))
                            .hasMessageContaining("the store is away");
                    // Callers hear of the attempt that failed, and do not wait for the 20 s that connecting may take.
                    assertThat(Duration.ofNanos(System.nanoTime() - start)).isLessThan(Duration.ofSeconds(15));
                    assertThat(baton.waitingCallers()).isZero();
                    there.set(true);
                    Other.until("up", () -> health(context).equals("UP"));
                    early.run(lease -> assertThat(lease.isHeld()).isTrue());
                    assertThat(DistributedLock.allOf(baton.lock("a"), baton.lock("b")).tryAcquire())
                            .isPresent();
                });
    }

    @Test
    void addressThatNoStoreServes_keepsTheApplicationFromStarting_alsoIfItIsLazy() {
        runner("baton.uri=redsi://127.0.0.1").run(context -> assertThat(context.getStartupFailure())
                .rootCause()
                .hasMessageContaining("redsi"));
    }

    /** As a class that is missing, or a service that cannot be loaded. */
    @Test
    void errorWhileConnecting_isToldToCallers_andTriedAgain() {
        AtomicBoolean there = new AtomicBoolean();
        runner()
                .withBean(BatonConnectionDetails.class, () -> () -> {
                    if (!there.get()) {
                        throw new NoClassDefFoundError("redis.clients.jedis.Jedis");
                    }
                    return "memory://mended";
                })
                .run(context -> {
                    DistributedLock early = context.getBean(Baton.class).lock("early");
                    assertThatThrownBy(() -> early.acquireAsync().get(20, TimeUnit.SECONDS))
                            .hasRootCauseInstanceOf(NoClassDefFoundError.class);
                    there.set(true);
                    Other.until("connected", () -> health(context).equals("UP"));
                    early.run(lease -> assertThat(lease.isHeld()).isTrue());
                });
    }

    /** The caller's own time is over before there is a connection; what comes later has no owner. */
    @Test
    void lease_thatComesAfterItsCallerGaveUp_isReleased() {
        AtomicBoolean there = new AtomicBoolean();
        runner("baton.connect-timeout=5s")
                .withBean(BatonConnectionDetails.class, () -> () -> {
                    while (!there.get()) {
                        Thread.onSpinWait();
                    }
                    return "memory://late-lease";
                })
                .run(context -> {
                    Baton baton = context.getBean(Baton.class);
                    try (Other other = new Other("memory://late-lease");
                            Lease held = other.take("x")) {
                        CompletableFuture<Lease> waiting = baton.lock("x").acquireAsync();
                        there.set(true);
                        Other.until("it waits", () -> baton.waitingCallers() == 1);
                        assertThat(waiting.completeExceptionally(new IllegalStateException("late"))).isTrue();
                        Other.until("it waits no more", () -> baton.waitingCallers() == 0);
                        held.release();
                        other.expectGranted("x");
                    }
                    assertThat(baton.heldLeases()).isZero();
                });
    }

    @Test
    void interrupt_whileTheStoreIsAway_isKept() {
        runner("baton.uri=redis://127.0.0.1:" + closedPort(), "baton.connect-timeout=10s")
                .run(context -> {
                    Thread.currentThread().interrupt();
                    assertThatThrownBy(() -> context.getBean(Baton.class).ping())
                            .isInstanceOf(IllegalStateException.class);
                    assertThat(Thread.interrupted()).isTrue();
                });
    }

    /** Boot 3.5 knows only Spring's own annotation for a parameter that may be missing. */
    @Test
    void endpoint_listsAllLocks_ifNoPrefixIsGiven() throws Exception {
        Method locks = BatonEndpoint.class.getMethod("locks", String.class);
        Constructor<?> constructor = OperationMethod.class.getConstructors()[0];
        Object method = constructor.getParameterCount() == 2
                ? constructor.newInstance(locks, OperationType.READ)
                : constructor.newInstance(locks, OperationType.READ, (Predicate<Parameter>) parameter -> false);
        assertThat(((OperationMethod) method).getParameters().get(0).isMandatory()).isFalse();
    }

    private static String health(AssertableApplicationContext context) {
        try {
            Object indicator = context.getBean("batonHealthIndicator");
            Method method = indicator.getClass().getMethod("health");
            method.setAccessible(true);
            Object health = method.invoke(indicator);
            return health.getClass().getMethod("getStatus").invoke(health).toString();
        } catch (ReflectiveOperationException wrong) {
            throw new AssertionError(wrong);
        }
    }

    @Test
    void closedContext_hasAClosedClient_evenIfItNeverConnected() {
        Baton[] baton = new Baton[1];
        runner("baton.uri=redis://127.0.0.1:" + closedPort())
                .run(context -> baton[0] = context.getBean(Baton.class));
        assertThat(baton[0].isClosed()).isTrue();
        assertThatThrownBy(() -> baton[0].lock("x").acquire()).hasMessageContaining("Baton is closed");
    }

    // ---- what keeps an application from starting -----------------------------------------------------------------

    static class PrivateMethod {
        @Locked("x")
        @SuppressWarnings("unused")
        private void work() {}
    }

    static class FinalMethod {
        @Locked("x")
        public final void work() {}
    }

    static class StaticMethod {
        @Locked("x")
        public static void work() {}
    }

    static class BrokenExpression {
        @Locked("x:#{#id.}")
        public void work(String id) {}
    }

    static class NoName {
        @Locked
        public void work() {}
    }

    static class AtLeastAboveAtMost {
        @Locked(value = "x", atLeast = "23h", atMost = "20m")
        public void work() {}
    }

    static class UnreadableTime {
        @Locked(value = "x", waitFor = "soon")
        public void work() {}
    }

    static class FenceOfAMono {
        @Locked(value = "x", fence = true)
        public Mono<String> work() {
            return Mono.empty();
        }
    }

    static class NoFallback {
        @Locked(value = "x", otherwise = "missing")
        public String work() {
            return "";
        }
    }

    static class PermitsOfNothing {
        @Locked(value = "x", kind = Locked.Kind.SEMAPHORE, permits = 3, capacity = 2)
        public void work() {}
    }

    static class SeveralReaders {
        @Locked(value = {"x", "y"}, kind = Locked.Kind.READ)
        public void work() {}
    }

    @ParameterizedTest
    @CsvSource({
        "PrivateMethod, no proxy can call a private method",
        "FinalMethod, a proxy cannot override a final method",
        "StaticMethod, no proxy can call a static method",
        "BrokenExpression, @Locked on BrokenExpression.work",
        "NoName, has to say a name",
        "UnreadableTime, has no time for waitFor",
        "FenceOfAMono, cannot raise a fence",
        "NoFallback, has no method \"missing\"",
        "PermitsOfNothing, asks for 3 of 2 permits",
        "SeveralReaders, only a LOCK may have"
    })
    @DisplayName("P23: whatCannotWork_keepsTheApplicationFromStarting")
    void whatCannotWork_keepsTheApplicationFromStarting(String type, String why) throws Exception {
        expectRefused(type, why);
    }

    @Test
    @DisplayName("P51: jobThatKeepsItsLockLongerThanItMayHoldIt_keepsTheApplicationFromStarting")
    void jobThatKeepsItsLockLongerThanItMayHoldIt_keepsTheApplicationFromStarting() throws Exception {
        expectRefused("AtLeastAboveAtMost", "at least 82800000 ms, but the lease ends after 1200000 ms");
    }

    private static void expectRefused(String type, String why) throws ClassNotFoundException {
        Class<?> bean = Class.forName(StartTest.class.getName() + '$' + type);
        BeanDefinition definition = new RootBeanDefinition(bean);
        runner("baton.uri=memory://refused")
                .withInitializer(context -> ((BeanDefinitionRegistry)
                                context.getBeanFactory())
                        .registerBeanDefinition("refused", definition))
                .run(context -> assertThat(context.getStartupFailure())
                        .isNotNull()
                        .rootCause()
                        .satisfies(failure -> assertThat(messages(context.getStartupFailure()))
                                .contains(why)));
    }

    private static String messages(@Nullable Throwable failure) {
        StringBuilder all = new StringBuilder();
        for (Throwable each = failure; each != null; each = each.getCause()) {
            all.append(each.getMessage()).append('\n');
        }
        return all.toString();
    }

    // ---- what the application shows ------------------------------------------------------------------------------

    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void endpoint_showsLocks_andReleasesThemOnlyIfItMay(boolean mayForce) {
        runner(
                        "baton.uri=memory://endpoint",
                        "management.endpoints.web.exposure.include=baton",
                        "baton.endpoint.force-release=" + mayForce)
                .run(context -> {
                    BatonEndpoint endpoint = context.getBean(BatonEndpoint.class);
                    assertThat(endpoint instanceof BatonEndpoint.Forcing).isEqualTo(mayForce);
                    try (Lease lease = context.getBean(Baton.class).lock("x").acquire()) {
                        Map<String, Object> shown = endpoint.locks(null);
                        assertThat(shown).containsEntry("heldLeases", 1);
                        assertThat((List<?>) shown.get("locks")).hasSize(1);
                        assertThat(endpoint.lock("x")).isNotNull();
                        if (endpoint instanceof BatonEndpoint.Forcing forcing) {
                            assertThat(forcing.release("x")).isNotNull();
                            Other.until("it is lost", () -> !lease.isHeld());
                        }
                    }
                });
    }

    @Test
    void meters_areThere_ifTheApplicationHasARegistry() {
        runner("baton.uri=memory://meters")
                .withBean(MeterRegistry.class, SimpleMeterRegistry::new)
                .run(context -> {
                    MeterRegistry registry = context.getBean(MeterRegistry.class);
                    try (Lease lease = context.getBean(Baton.class).lock("x").acquire()) {
                        assertThat(lease.isHeld()).isTrue();
                        assertThat(registry.get("baton.lock.held").gauge().value()).isEqualTo(1);
                    }
                    Other.until("counted", () -> registry.find("baton.lock.hold").timer() != null);
                });
    }

    /** Nothing is claimed for native images; these are needed for one. */
    @Test
    void hints_nameTheProxiesAndTheScriptsOfStores() {
        RuntimeHints hints = new RuntimeHints();
        Class<?> type =
                ClassUtils.resolveClassName("dev.baton.spring.boot.BatonRuntimeHints", StartTest.class.getClassLoader());
        ((RuntimeHintsRegistrar) BeanUtils.instantiateClass(type)).registerHints(hints, null);
        assertThat(RuntimeHintsPredicates.proxies().forInterfaces(Baton.class)).accepts(hints);
        assertThat(RuntimeHintsPredicates.proxies().forInterfaces(DistributedLock.class)).accepts(hints);
        assertThat(RuntimeHintsPredicates.resource().forResource("dev/baton/redis/turns.lua"))
                .accepts(hints);
    }

    /** A job that runs when the context closes keeps its lock to its end. */
    @Test
    void close_waitsForNoLease_butAJobThatEndsFirstReleasesItself() {
        CompletableFuture<Baton> closing = new CompletableFuture<>();
        runner("baton.uri=memory://closing").run(context -> {
            Baton baton = context.getBean(Baton.class);
            Lease lease = baton.lock("x").acquire();
            lease.onLost(cause -> closing.complete(baton));
        });
        assertThat(closing.orTimeout(20, TimeUnit.SECONDS).join().isClosed()).isTrue();
    }
}
