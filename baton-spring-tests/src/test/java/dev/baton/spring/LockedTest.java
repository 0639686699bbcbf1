package dev.baton.spring;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.baton.Lease;
import dev.baton.LeaseLostException;
import dev.baton.spring.boot.BatonAutoConfiguration;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.CancellationException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Lazy;
import reactor.core.Disposable;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;
import reactor.core.publisher.Sinks;

/** Methods with the annotation: when the lock is held, and what callers get without it. */
class LockedTest {
    private static final AtomicInteger NUMBER = new AtomicInteger();

    private final String uri = "memory://locked-" + NUMBER.incrementAndGet();
    private final ApplicationContextRunner runner = new ApplicationContextRunner()
            .withConfiguration(AutoConfigurations.of(BatonAutoConfiguration.class))
            .withUserConfiguration(Application.class)
            .withPropertyValues("baton.uri=" + uri, "baton.connect-timeout=20s", "app.wait=10s");
    private Other other;

    LockedTest() {
        other = new Other(uri);
    }

    @BeforeEach
    void open() {
        other.close();
        other = new Other(uri);
    }

    @AfterEach
    void close() {
        other.close();
    }

    @Configuration(proxyBeanMethods = false)
    static class Application {
        @Bean
        Shop shop() {
            return new Shop();
        }

        @Bean
        Till till() {
            return new TillOfShop();
        }

        @Bean
        LockNameResolver byArguments() {
            return (method, arguments) -> List.of(method.getName() + ":" + arguments[0]);
        }
    }

    /** An application's order. */
    record Order(@Nullable String id) {}

    /** The annotation is on the interface, as the application's own architecture may want it. */
    interface Till {
        @Locked(value = "till", waitFor = "0")
        void count(Runnable inside);
    }

    static class TillOfShop implements Till {
        @Override
        public void count(Runnable inside) {
            inside.run();
        }
    }

    /** The state inside the methods. A proxy has no fields. */
    static final class Inside {
        final AtomicInteger runs = new AtomicInteger();
        final Sinks.One<String> one = Sinks.one();
        final Sinks.Many<String> many = Sinks.many().multicast().onBackpressureBuffer();
        final CompletableFuture<String> stage = new CompletableFuture<>();
    }

    static class Shop {
        private final Inside in = new Inside();

        Inside inside() {
            return in;
        }

        @Autowired
        @Lazy
        @Nullable
        Shop self;

        @Locked(value = "stock:#{#order.id}", waitFor = "${app.wait}")
        public String sell(Order order, Runnable inside) {
            in.runs.incrementAndGet();
            inside.run();
            return "sold " + order.id();
        }

        @Locked("stock:#{#p0}")
        public Optional<Long> token(String sku, @Nullable Lease lease) {
            return Optional.ofNullable(lease).map(Lease::token);
        }

        @Locked(value = {"b:#{#sku}", "a"}, waitFor = "0")
        public void several(String sku, Runnable inside) {
            inside.run();
        }

        @Locked(value = "fallback", waitFor = "0", otherwise = "busy")
        public String withFallback(String what) {
            in.runs.incrementAndGet();
            return what;
        }

        String busy(String what) {
            return "busy: " + what;
        }

        @Locked(names = "byArguments")
        public void resolved(String id, Runnable inside) {
            inside.run();
        }

        @Locked("outer")
        public String nested() {
            return Objects.requireNonNull(self).again();
        }

        @Locked(value = "outer", waitFor = "0")
        public String again() {
            return "again";
        }

        @Locked(value = "stage", waitFor = "0")
        public CompletableFuture<String> stage() {
            in.runs.incrementAndGet();
            return in.stage;
        }

        @Locked(value = "mono", waitFor = "0")
        public Mono<String> mono() {
            in.runs.incrementAndGet();
            return in.one.asMono();
        }

        @Locked(value = "mono wait", waitFor = "10s")
        public Mono<String> monoThatWaits() {
            return Mono.just("late");
        }

        @Locked(value = "mono", waitFor = "0", otherwise = "instead")
        public Mono<String> monoWithFallback() {
            return in.one.asMono();
        }

        Mono<String> instead() {
            return Mono.just("instead");
        }

        @Locked(value = "flux", waitFor = "0")
        public Flux<String> flux() {
            return in.many.asFlux();
        }

        @Locked(value = "lost", lease = "200ms")
        public String tooLong(Lease lease) throws InterruptedException {
            Other.until("it is lost", () -> !lease.isHeld());
            return "done";
        }

        @Locked(value = "pages", kind = Locked.Kind.READ, waitFor = "0")
        public void read(Runnable inside) {
            inside.run();
        }

        @Locked(value = "gpus", kind = Locked.Kind.SEMAPHORE, permits = 2, capacity = 3, waitFor = "0")
        public void train(Runnable inside) {
            inside.run();
        }

        @Locked(value = "night", atLeast = "5s", waitFor = "0")
        public void nightly() {
            in.runs.incrementAndGet();
        }
    }

    private void inShop(Use<Shop> use) {
        inShop(runner, use);
    }

    private static void inShop(ApplicationContextRunner runner, Use<Shop> use) {
        runner.run(context -> use.of(context.getBean(Shop.class)));
    }

    private interface Use<T> {
        void of(T bean) throws Exception;
    }

    @Test
    void method_holdsTheLockOfItsArgument_untilItReturns() {
        inShop(shop -> {
            String sold = shop.sell(new Order("7"), () -> {
                other.expectRefused("stock:7");
                granted("stock:8");
            });
            assertThat(sold).isEqualTo("sold 7");
            other.expectGranted("stock:7");
        });
    }

    private void granted(String name) {
        try {
            other.expectGranted(name);
        } catch (InterruptedException stopped) {
            throw new AssertionError(stopped);
        }
    }

    @Test
    void method_thatThrows_releasesTheLock_andItsExceptionComesThrough() {
        inShop(shop -> {
            assertThatThrownBy(() -> shop.sell(new Order("7"), () -> {
                        throw new IllegalStateException("no money");
                    }))
                    .isInstanceOf(IllegalStateException.class)
                    .hasMessage("no money");
            other.expectGranted("stock:7");
        });
    }

    @Test
    @DisplayName("P23: caller_thatDoesNotGetTheLock_getsAnException_andTheMethodDoesNotRun")
    void caller_thatDoesNotGetTheLock_getsAnException_andTheMethodDoesNotRun() {
        inShop(runner.withPropertyValues("app.wait=50ms"), shop -> {
            try (Lease lease = other.take("stock:7")) {
                assertThat(lease.isHeld()).isTrue();
                assertThatThrownBy(() -> shop.sell(new Order("7"), () -> {}))
                        .isInstanceOfSatisfying(
                                LockNotAvailableException.class,
                                failure -> assertThat(failure.names()).containsExactly("stock:7"))
                        .hasMessageContaining("\"stock:7\" is held by another")
                        .hasMessageContaining("within 50 ms: Shop.sell did not run");
            }
            assertThat(shop.inside().runs).hasValue(0);
        });
    }

    @Test
    void caller_thatDoesNotGetTheLock_getsWhatTheMethodForThisCaseSays() {
        inShop(shop -> {
            assertThat(shop.withFallback("x")).isEqualTo("x");
            try (Lease lease = other.take("fallback")) {
                assertThat(lease.isHeld()).isTrue();
                assertThat(shop.withFallback("x")).isEqualTo("busy: x");
            }
            assertThat(shop.inside().runs).hasValue(1);
        });
    }

    @Test
    @DisplayName("P47: nameThatIsNullOrBlank_isAnError_andNoSharedLock")
    void nameThatIsNullOrBlank_isAnError_andNoSharedLock() {
        inShop(shop -> {
            for (String id : new String[] {null, "", "  "}) {
                assertThatThrownBy(() -> shop.sell(new Order(id), () -> {}))
                        .isInstanceOf(IllegalArgumentException.class)
                        .hasMessageContaining("#{#order.id} is " + (id == null ? "null" : "blank"));
            }
            assertThat(shop.inside().runs).hasValue(0);
        });
    }

    @Test
    void lease_isAnArgument_ifTheMethodHasAParameterForIt() {
        inShop(shop -> {
            long first = shop.token("7", null).orElseThrow();
            assertThat(shop.token("7", null).orElseThrow()).isGreaterThan(first);
        });
    }

    @Test
    void severalNames_areHeldTogether() {
        inShop(shop -> {
            shop.several("7", () -> {
                other.expectRefused("a");
                other.expectRefused("b:7");
            });
            granted("a");
            granted("b:7");
        });
    }

    @Test
    void name_fromABean_andFromAnInterface() {
        inShop(shop -> shop.resolved("7", () -> other.expectRefused("resolved:7")));
        runner.run(context -> context.getBean(Till.class).count(() -> other.expectRefused("till")));
    }

    /** A lease is not re-entrant, and the thread would wait for itself. */
    @Test
    void lockedMethod_thatCallsAnotherOfTheSameName_runsItUnderItsLease() {
        inShop(shop -> {
            assertThat(shop.nested()).isEqualTo("again");
            other.expectGranted("outer");
        });
    }

    @Test
    void stage_holdsTheLockUntilItIsComplete() {
        inShop(shop -> {
            CompletableFuture<String> result = shop.stage();
            other.expectRefused("stage");
            assertThat(result).isNotDone();
            shop.inside().stage.complete("value");
            assertThat(result.get(20, TimeUnit.SECONDS)).isEqualTo("value");
            other.expectGranted("stage");
        });
    }

    @Test
    void stage_thatFailsOrIsCancelled_releasesTheLock() {
        inShop(shop -> {
            CompletableFuture<String> failing = shop.stage();
            shop.inside().stage.completeExceptionally(new IllegalStateException("no money"));
            assertThatThrownBy(() -> failing.get(20, TimeUnit.SECONDS)).hasMessageContaining("no money");
            other.expectGranted("stage");
        });
        inShop(shop -> {
            CompletableFuture<String> cancelled = shop.stage();
            other.expectRefused("stage");
            cancelled.cancel(true);
            assertThatThrownBy(cancelled::join).isInstanceOf(CancellationException.class);
            assertThat(shop.inside().stage).isCancelled();
            other.expectGranted("stage");
        });
    }

    @Test
    @DisplayName("P48: mono_isLockedFromSubscriptionToItsEnd")
    void mono_isLockedFromSubscriptionToItsEnd() {
        inShop(shop -> {
            Mono<String> mono = shop.mono();
            assertThat(shop.inside().runs).hasValue(0);
            granted("mono");
            CompletableFuture<String> result = mono.toFuture();
            Other.until("it runs", () -> shop.inside().runs.get() == 1);
            other.expectRefused("mono");
            shop.inside().one.tryEmitValue("value");
            assertThat(result.get(20, TimeUnit.SECONDS)).isEqualTo("value");
            other.expectGranted("mono");
        });
    }

    @Test
    void mono_thatFailsOrIsCancelled_releasesTheLock() {
        inShop(shop -> {
            Disposable subscription = shop.mono().subscribe();
            Other.until("it runs", () -> shop.inside().runs.get() == 1);
            other.expectRefused("mono");
            subscription.dispose();
            other.expectGranted("mono");
            shop.inside().one.tryEmitError(new IllegalStateException("no money"));
            assertThatThrownBy(() -> shop.mono().block(Other.LONG)).hasMessageContaining("no money");
            other.expectGranted("mono");
        });
    }

    @Test
    void mono_cancelledWhileItWaits_leavesNoHolder() {
        inShop(shop -> {
            for (int i = 0; i < 2_000; i++) {
                Lease lease = other.take("mono wait");
                Disposable subscription = shop.monoThatWaits().subscribe();
                CountDownLatch go = new CountDownLatch(1);
                Thread releasing = new Thread(() -> {
                    go.countDown();
                    lease.close();
                });
                releasing.start();
                go.await();
                subscription.dispose();
                releasing.join();
            }
            other.expectGranted("mono wait");
        });
    }

    @Test
    void mono_withoutTheLock_failsOrIsWhatTheMethodForThisCaseSays() {
        inShop(shop -> {
            try (Lease lease = other.take("mono")) {
                assertThat(lease.isHeld()).isTrue();
                assertThatThrownBy(() -> shop.mono().block(Other.LONG)).isInstanceOf(LockNotAvailableException.class);
                assertThat(shop.monoWithFallback().block(Other.LONG)).isEqualTo("instead");
            }
            assertThat(shop.inside().runs).hasValue(0);
        });
    }

    @Test
    void flux_isLockedToItsLastElement_orItsCancel() {
        inShop(shop -> {
            CompletableFuture<List<String>> result = shop.flux().collectList().toFuture();
            Other.until("it runs", () -> shop.inside().many.currentSubscriberCount() == 1);
            shop.inside().many.tryEmitNext("a");
            other.expectRefused("flux");
            shop.inside().many.tryEmitComplete();
            assertThat(result.get(20, TimeUnit.SECONDS)).containsExactly("a");
            other.expectGranted("flux");
        });
    }

    @Test
    void lostLease_isAnException_thoughTheMethodHasReturned() {
        inShop(shop -> assertThatThrownBy(() -> shop.tooLong(noLease()))
                .isInstanceOf(LeaseLostException.class)
                .hasMessageContaining("lost"));
    }

    @SuppressWarnings("NullAway") // the proxy passes the lease
    private static Lease noLease() {
        return null;
    }

    @Test
    void readersAndPermits_areShared() {
        inShop(shop -> {
            shop.read(() -> shop.read(() -> {}));
            shop.train(() -> assertThatThrownBy(() -> inOtherThread(() -> shop.train(() -> {})))
                    .hasRootCauseInstanceOf(LockNotAvailableException.class));
        });
    }

    private static void inOtherThread(Runnable action) {
        CompletableFuture.runAsync(action).orTimeout(Other.LONG.toSeconds(), TimeUnit.SECONDS).join();
    }

    @Test
    @DisplayName("P49: atLeast_keepsTheLockOfAJobThatEndsSooner")
    void atLeast_keepsTheLockOfAJobThatEndsSooner() {
        inShop(shop -> {
            shop.nightly();
            assertThatThrownBy(shop::nightly).isInstanceOf(LockNotAvailableException.class);
            assertThat(shop.inside().runs).hasValue(1);
            Other.until("it comes free", () -> {
                try {
                    shop.nightly();
                    return true;
                } catch (LockNotAvailableException kept) {
                    return false;
                }
            });
        });
    }
}
