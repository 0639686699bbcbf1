package dev.baton.micrometer;

import static org.assertj.core.api.Assertions.assertThat;

import dev.baton.Baton;
import dev.baton.BatonEvent;
import dev.baton.BatonOptions;
import dev.baton.Lease;
import dev.baton.LossCause;
import io.micrometer.core.instrument.Meter;
import io.micrometer.core.instrument.Tags;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

/** The meters, with the events of a real client. */
class BatonMetersTest {
    private final SimpleMeterRegistry registry = new SimpleMeterRegistry();

    @AfterEach
    void close() {
        registry.close();
    }

    private Baton connect(BatonMeters meters) {
        Baton baton = Baton.connect(
                "memory://meters", BatonOptions.builder().listener(meters).build());
        meters.watch(baton);
        return baton;
    }

    private static void until(BooleanSupplier condition) throws InterruptedException {
        long end = System.nanoTime() + TimeUnit.SECONDS.toNanos(30);
        while (!condition.getAsBoolean()) {
            assertThat(System.nanoTime()).as("in time").isLessThan(end);
            Thread.sleep(1);
        }
    }

    private long timed(String name, String... tags) {
        return registry.find(name).tags(tags).timers().stream()
                .mapToLong(each -> each.count())
                .sum();
    }

    private double counted(String name, String... tags) {
        return registry.find(name).tags(tags).counters().stream()
                .mapToDouble(each -> each.count())
                .sum();
    }

    private double shown(String name) {
        return registry.get(name).gauge().value();
    }

    @Test
    @DisplayName("P46: eachWayOfWaitingAndHolding_isCounted_withoutAPaidEdition")
    void eachWayOfWaitingAndHolding_isCounted_withoutAPaidEdition() throws Exception {
        try (Baton baton = connect(BatonMeters.of(registry))) {
            Lease first = baton.lock("stock").acquire();
            assertThat(baton.lock("stock").tryAcquire()).isEmpty();
            assertThat(baton.lock("stock").tryAcquire(Duration.ofMillis(1))).isEmpty();
            CompletableFuture<Lease> second = baton.lock("stock").acquireAsync();
            until(() -> shown("baton.lock.waiting") == 1);
            assertThat(shown("baton.lock.held")).isEqualTo(1);
            first.release();
            Lease next = second.get(30, TimeUnit.SECONDS);
            assertThat(baton.admin().forceReleaseNow("stock")).isPresent();
            until(() -> counted("baton.lock.lost", "cause", "revoked") == 1);
            assertThat(next.isHeld()).isFalse();
        }
        until(() -> timed("baton.lock.hold", "outcome", "lost") == 1);
        assertThat(timed("baton.lock.hold", "outcome", "released")).isEqualTo(1);
        assertThat(timed("baton.lock.wait", "outcome", "acquired")).isEqualTo(1);
        assertThat(timed("baton.lock.wait", "outcome", "handed-off")).isEqualTo(1);
        assertThat(timed("baton.lock.wait", "outcome", "busy")).isEqualTo(1);
        assertThat(timed("baton.lock.wait", "outcome", "timed-out")).isEqualTo(1);
        assertThat(counted("baton.lock.handoffs")).isEqualTo(1);
        assertThat(shown("baton.lock.held")).isZero();
    }

    @Test
    void locksName_isATagOnlyThroughTheUsersFunction() throws Exception {
        try (Baton plain = connect(BatonMeters.of(registry))) {
            plain.lock("order:4711").run(lease -> {});
        }
        until(() -> timed("baton.lock.hold") == 1);
        assertThat(registry.getMeters())
                .extracting(Meter::getId)
                .allSatisfy(id -> assertThat(id.getTag("lock")).isNull());
        BatonMeters tagged = BatonMeters.builder(registry)
                .tags(Tags.of("store", "second"))
                .lockTag(name -> name.replaceAll(":.*", ""))
                .build();
        try (Baton baton = connect(tagged)) {
            baton.lock("order:1").run(lease -> {});
            baton.lock("order:2").run(lease -> {});
        }
        until(() -> timed("baton.lock.hold", "lock", "order", "store", "second") == 2);
        assertThat(registry.find("baton.lock.lost").tags("lock", "order").counters())
                .as("the series of each cause, before the first loss: increase() would miss that one")
                .hasSize(LossCause.values().length)
                .allSatisfy(counter -> assertThat(counter.count()).isZero());
    }

    @Test
    void silenceAndGracePeriod_areShownWhileTheyLast() {
        BatonMeters meters = BatonMeters.of(registry);
        meters.onEvent(event(BatonEvent.Type.STORE_SILENT, ""));
        meters.onEvent(event(BatonEvent.Type.GRACE_BEGAN, ""));
        assertThat(shown("baton.store.silent")).isEqualTo(1);
        assertThat(shown("baton.store.grace")).isEqualTo(1);
        meters.onEvent(event(BatonEvent.Type.STORE_BACK, ""));
        meters.onEvent(event(BatonEvent.Type.GRACE_ENDED, ""));
        assertThat(shown("baton.store.silent")).isZero();
        assertThat(shown("baton.store.grace")).isZero();
    }

    /** With the text of the core, which has the number in words for users. */
    @Test
    void droppedEvents_areCountedByTheirNumber_andPassedOn() throws Exception {
        List<BatonEvent> passedOn = Collections.synchronizedList(new ArrayList<>());
        CompletableFuture<Void> release = new CompletableFuture<>();
        BatonMeters meters = BatonMeters.builder(registry)
                .next(event -> {
                    release.join();
                    passedOn.add(event);
                })
                .build();
        int pairs = 8_000;
        try (Baton baton = connect(meters)) {
            for (int i = 0; i < pairs; i++) {
                baton.lock("busy").run(lease -> {});
            }
            release.complete(null);
            until(() -> counted("baton.events.dropped") + heard(passedOn) == 2 * pairs);
        }
        assertThat(counted("baton.events.dropped")).isPositive();
    }

    private static long heard(List<BatonEvent> events) {
        return List.copyOf(events).stream()
                .filter(each -> each.type() != BatonEvent.Type.EVENTS_DROPPED)
                .count();
    }

    private static BatonEvent event(BatonEvent.Type type, String detail) {
        return new BatonEvent(type, "", 0, Duration.ZERO, null, null, detail);
    }
}
