package dev.baton.spring;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.baton.Baton;
import dev.baton.Lease;
import dev.baton.LeaseLostException;
import dev.baton.spring.boot.BatonAutoConfiguration;
import io.micrometer.observation.Observation;
import io.micrometer.observation.ObservationHandler;
import io.micrometer.observation.ObservationRegistry;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import reactor.core.publisher.Mono;
import reactor.core.publisher.Sinks;

/** Waits and holds of locked methods, as traces show them: in the caller's trace, with the method's own steps inside. */
class ObservationsTest {
    private static final AtomicInteger NUMBER = new AtomicInteger();
    private static final String KEY = "micrometer.observation";

    private final String uri = "memory://observed-" + NUMBER.incrementAndGet();
    private final List<String> ended = new CopyOnWriteArrayList<>();
    private final AtomicReference<String> broken = new AtomicReference<>("");
    private final ObservationRegistry registry = ObservationRegistry.create();

    ObservationsTest() {
        registry.observationConfig().observationHandler(new ObservationHandler<Observation.Context>() {
            @Override
            public void onStop(Observation.Context context) {
                ended.add(text(context));
                if (context.getName().equals(broken.get())) {
                    throw new IllegalStateException("a handler's, by a test");
                }
            }

            @Override
            public void onError(Observation.Context context) {
                if (!broken.get().isEmpty()) {
                    throw new IllegalStateException("a handler's, by a test");
                }
            }

            @Override
            public boolean supportsContext(Observation.Context context) {
                return true;
            }
        });
    }

    /** An observation in one line: its name, its parent and its outcome. */
    private static String text(Observation.Context context) {
        var parent = context.getParentObservation();
        var outcome = context.getLowCardinalityKeyValue("outcome");
        return context.getName()
                + (parent == null ? "" : " in " + parent.getContextView().getName())
                + (outcome == null ? "" : ": " + outcome.getValue())
                + (context.getError() == null
                        ? ""
                        : " !" + context.getError().getClass().getSimpleName());
    }

    static class Shop {
        private final ObservationRegistry registry;

        Shop(ObservationRegistry registry) {
            this.registry = registry;
        }

        private Observation step() {
            return Observation.createNotStarted("step", registry);
        }

        @Locked(value = "stock:#{#id}", waitFor = "3s")
        public void sell(int id, Runnable inside) {
            step().observe(inside);
        }

        @Locked("stage")
        public CompletableFuture<String> sellLater(CompletableFuture<String> result) {
            step().observe(() -> {});
            return result;
        }

        @Locked("never")
        public Mono<String> sellNever(Runnable cancelled) {
            return Sinks.<String>one().asMono().doOnCancel(cancelled);
        }

        @Locked("mono")
        public Mono<String> sellReactively(Runnable inside) {
            return Mono.deferContextual(context -> {
                step().parentObservation(context.get(KEY)).observe(inside);
                return Mono.just("sold");
            });
        }
    }

    private interface Work {
        void with(Shop shop, Baton baton) throws Exception;
    }

    private void run(Work work) {
        new ApplicationContextRunner()
                .withConfiguration(AutoConfigurations.of(BatonAutoConfiguration.class))
                .withBean(ObservationRegistry.class, () -> registry)
                .withBean(Shop.class, () -> new Shop(registry))
                .withPropertyValues("baton.uri=" + uri, "baton.connect-timeout=20s", "baton.lease-time=6s")
                .run(context -> work.with(context.getBean(Shop.class), context.getBean(Baton.class)));
    }

    private Observation request() {
        return Observation.createNotStarted("request", registry);
    }

    @Test
    void call_isAWaitAndAHold_inTheCallersTrace() {
        run((shop, baton) -> request().observe(() -> shop.sell(7, () -> assertThat(ended)
                .containsExactly("baton.locked.wait in request: acquired"))));
        assertThat(ended)
                .containsExactly(
                        "baton.locked.wait in request: acquired",
                        "step in baton.locked.hold",
                        "baton.locked.hold in request",
                        "request");
    }

    @Test
    void call_thatGetsNoLock_isAWaitAlone() {
        run((shop, baton) -> {
            try (Lease held = baton.lock("stock:7").acquire()) {
                assertThat(held.isHeld()).isTrue();
                assertThatThrownBy(() -> shop.sell(7, () -> {})).isInstanceOf(LockNotAvailableException.class);
            }
        });
        assertThat(ended).containsExactly("baton.locked.wait: busy");
    }

    @Test
    void call_thatCannotKnow_isAWaitThatFailed() {
        run((shop, baton) -> {
            baton.close();
            assertThatThrownBy(() -> shop.sell(7, () -> {})).hasMessageContaining("closed");
        });
        assertThat(ended).singleElement().asString().startsWith("baton.locked.wait: failed !");
    }

    @Test
    void hold_tellsOfTheMethodsException_andOfALoss() {
        run((shop, baton) -> {
            assertThatThrownBy(() -> shop.sell(7, () -> {
                        throw new IllegalArgumentException("by a test");
                    }))
                    .isInstanceOf(IllegalArgumentException.class);
            try (Other other = new Other(uri)) {
                assertThatThrownBy(() -> shop.sell(8, () -> {
                            other.force("stock:8");
                            untilNothingIsHeld(baton);
                        }))
                        .isInstanceOf(LeaseLostException.class);
            }
        });
        assertThat(ended)
                .contains("baton.locked.hold !IllegalArgumentException", "baton.locked.hold !LeaseLostException");
    }

    private static void untilNothingIsHeld(Baton baton) {
        try {
            Other.until("the loss", () -> baton.heldLeases() == 0);
        } catch (InterruptedException stopped) {
            throw new AssertionError(stopped);
        }
    }

    @Test
    void hold_ofAStage_endsWithIt() {
        run((shop, baton) -> {
            CompletableFuture<String> result = new CompletableFuture<>();
            CompletableFuture<String> sold =
                    Objects.requireNonNull(request().observe(() -> shop.sellLater(result)));
            assertThat(ended)
                    .containsExactly(
                            "baton.locked.wait in request: acquired", "step in baton.locked.hold", "request");
            result.complete("sold");
            assertThat(sold.get(20, TimeUnit.SECONDS)).isEqualTo("sold");
            Other.until("the hold has ended", () -> ended.size() == 4);
        });
        assertThat(ended).last().isEqualTo("baton.locked.hold in request");
    }

    /** The loss ends the work at once, and is the error itself, as for other methods. */
    @Test
    void monoWhoseLeaseIsLost_isCancelled_andFails() {
        AtomicBoolean cancelled = new AtomicBoolean();
        run((shop, baton) -> {
            CompletableFuture<String> outcome = shop.sellNever(() -> cancelled.set(true)).toFuture();
            Other.until("it is held", () -> baton.heldLeases() == 1);
            try (Other other = new Other(uri)) {
                other.force("never");
            }
            assertThatThrownBy(() -> outcome.get(20, TimeUnit.SECONDS)).hasCauseInstanceOf(LeaseLostException.class);
        });
        assertThat(cancelled).isTrue();
        assertThat(ended).containsExactly("baton.locked.wait: acquired", "baton.locked.hold !LeaseLostException");
    }

    /** A lease that stayed after its call would be renewed for ever. */
    @ParameterizedTest
    @ValueSource(strings = {"baton.locked.wait", "baton.locked.hold"})
    void handlerThatFails_leavesNoLeaseBehind(String observation) {
        broken.set(observation);
        run((shop, baton) -> {
            try (Other other = new Other(uri)) {
                assertThatThrownBy(() -> shop.sell(7, () -> {})).hasMessageContaining("a handler's");
                assertThatThrownBy(() -> shop.sell(7, () -> {
                            throw new IllegalArgumentException("the method's");
                        }))
                        .isInstanceOf(RuntimeException.class);
                assertThatThrownBy(() -> shop.sellLater(CompletableFuture.failedFuture(new IllegalArgumentException()))
                                .get(20, TimeUnit.SECONDS))
                        .isInstanceOf(Exception.class);
                assertThatThrownBy(() -> shop.sellReactively(() -> {
                                    throw new IllegalArgumentException("the method's");
                                })
                                .block(Other.LONG))
                        .isInstanceOf(RuntimeException.class);
                Other.until("all is released", () -> baton.heldLeases() == 0);
                other.expectGranted("stock:7");
                other.expectGranted("stage");
                other.expectGranted("mono");
            }
        });
    }

    /** Reactor hands the present observation on in its context, and not in a thread. */
    @Test
    void hold_ofAMono_isInTheSubscribersTrace_andEndsWithIt() {
        run((shop, baton) -> {
            Observation request = request().start();
            shop.sellReactively(() -> assertThat(ended).containsExactly("baton.locked.wait in request: acquired"))
                    .contextWrite(context -> context.put(KEY, request))
                    .block(Other.LONG);
            Other.until("the hold has ended", () -> ended.size() == 3);
        });
        assertThat(ended)
                .containsExactly(
                        "baton.locked.wait in request: acquired",
                        "step in baton.locked.hold",
                        "baton.locked.hold in request");
    }
}
