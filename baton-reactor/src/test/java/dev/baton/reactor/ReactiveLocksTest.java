package dev.baton.reactor;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.baton.Baton;
import dev.baton.BatonOptions;
import dev.baton.DistributedLock;
import dev.baton.Lease;
import dev.baton.LeaseLostException;
import dev.baton.ReleaseOutcome;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.BooleanSupplier;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import reactor.core.Disposable;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;
import reactor.core.publisher.Sinks;
import reactor.core.scheduler.Schedulers;

/** Locks for publishers: a second client is refused at the store until the end, and gets the lock after it. */
class ReactiveLocksTest {
    private static final Duration LONG = Duration.ofSeconds(20);

    /** Longer than {@link #AT_ONCE}, so that a lease which nobody releases does not end in that time. */
    private static final Duration LEASE = Duration.ofSeconds(6);

    /** Long enough for a machine that stalls. */
    private static final Duration AT_ONCE = Duration.ofSeconds(4);

    private static final AtomicInteger NUMBER = new AtomicInteger();

    private final String uri = "memory://reactive-" + NUMBER.incrementAndGet();
    private final Baton client = connect();
    private final Baton other = connect();
    private final DistributedLock lock = client.lock("stock");

    private Baton connect() {
        return Baton.connect(uri, BatonOptions.builder().leaseTime(LEASE).build());
    }

    @AfterEach
    void close() {
        client.close();
        other.close();
    }

    private void expectRefused() {
        assertThat(other.lock("stock").tryAcquire()).as("another client, now").isEmpty();
    }

    private void expectGranted() throws InterruptedException {
        Optional<Lease> lease = other.lock("stock").tryAcquire(AT_ONCE);
        assertThat(lease).as("the lock is free").isPresent();
        lease.get().close();
    }

    private static void until(String what, BooleanSupplier condition) throws InterruptedException {
        long end = System.nanoTime() + LONG.toNanos();
        while (!condition.getAsBoolean()) {
            assertThat(System.nanoTime()).as(what).isLessThan(end);
            Thread.sleep(5);
        }
    }

    /** How work may end. */
    enum End {
        VALUE,
        EMPTY,
        ERROR,
        CANCEL,
        TIMEOUT
    }

    @ParameterizedTest
    @EnumSource(End.class)
    void lock_isHeldUntilTheWorkEnds_andNotBeforeTheSubscription(End end) throws Exception {
        Sinks.One<String> result = Sinks.one();
        AtomicBoolean begun = new AtomicBoolean();
        Mono<String> work = ReactiveLocks.withLock(lock, lease -> {
            begun.set(lease.isHeld());
            return result.asMono();
        });
        expectGranted();
        CompletableFuture<Optional<String>> outcome = new CompletableFuture<>();
        Mono<String> limited = end == End.TIMEOUT ? work.timeout(AT_ONCE) : work;
        Disposable subscription = limited.singleOptional().subscribe(outcome::complete, outcome::completeExceptionally);
        until("the work has begun", begun::get);
        if (end != End.TIMEOUT) {
            expectRefused();
        }
        switch (end) {
            case VALUE -> {
                assertThat(result.tryEmitValue("sold")).isEqualTo(Sinks.EmitResult.OK);
                assertThat(outcome.get(20, TimeUnit.SECONDS)).contains("sold");
            }
            case EMPTY -> {
                assertThat(result.tryEmitEmpty()).isEqualTo(Sinks.EmitResult.OK);
                assertThat(outcome.get(20, TimeUnit.SECONDS)).isEmpty();
            }
            case ERROR -> {
                assertThat(result.tryEmitError(new IllegalStateException("by a test")))
                        .isEqualTo(Sinks.EmitResult.OK);
                assertThatThrownBy(() -> outcome.get(20, TimeUnit.SECONDS)).hasRootCauseMessage("by a test");
            }
            case CANCEL -> subscription.dispose();
            case TIMEOUT ->
                assertThatThrownBy(() -> outcome.get(20, TimeUnit.SECONDS)).hasCauseInstanceOf(TimeoutException.class);
        }
        expectGranted();
        assertThat(client.heldLeases()).isZero();
    }

    @Test
    void eachSubscription_hasItsOwnLease_andTheyTakeTurns() {
        AtomicInteger inside = new AtomicInteger();
        AtomicInteger most = new AtomicInteger();
        List<Long> tokens = new ArrayList<>();
        Mono<Integer> work = ReactiveLocks.withLock(
                lock,
                lease -> Mono.fromCallable(() -> {
                            most.accumulateAndGet(inside.incrementAndGet(), Math::max);
                            tokens.add(lease.token());
                            return inside.get();
                        })
                        .delayElement(Duration.ofMillis(2))
                        .doOnNext(unused -> inside.decrementAndGet()));
        Long count = Flux.range(0, 50).flatMap(unused -> work, 50).count().block(LONG);
        assertThat(count).isEqualTo(50);
        assertThat(most).hasValue(1);
        assertThat(tokens).doesNotHaveDuplicates().isSorted();
    }

    @Test
    void subscriberThatLeavesWhileItWaits_getsNothing_andLeavesNothing() throws Exception {
        AtomicBoolean begun = new AtomicBoolean();
        try (Lease held = other.lock("stock").acquire()) {
            Disposable waiting = ReactiveLocks.withLock(lock, lease -> Mono.fromRunnable(() -> begun.set(true)))
                    .subscribe();
            Disposable lease = ReactiveLocks.acquire(lock).subscribe();
            until("both wait", () -> client.waitingCallers() == 2);
            waiting.dispose();
            lease.dispose();
            until("none waits", () -> client.waitingCallers() == 0);
            assertThat(held.isHeld()).isTrue();
        }
        expectGranted();
        assertThat(begun).isFalse();
    }

    /** The grant and the cancellation meet, in any order. */
    @Test
    void leaseThatComesWhileItsSubscriberLeaves_isReleased() throws Exception {
        for (int round = 0; round < 300; round++) {
            Lease before = client.lock("stock").acquire();
            Disposable waiting = ReactiveLocks.withLock(
                            lock, lease -> Mono.just(1).publishOn(Schedulers.parallel()))
                    .publishOn(Schedulers.parallel())
                    .subscribe();
            CompletableFuture<Void> released = CompletableFuture.runAsync(before::close);
            waiting.dispose();
            released.get(20, TimeUnit.SECONDS);
            until("round leaves nothing", () -> client.heldLeases() == 0 && client.waitingCallers() == 0);
        }
        expectGranted();
    }

    @Test
    void lossOfTheLease_cancelsTheWork_andIsTheError() throws Exception {
        AtomicBoolean cancelled = new AtomicBoolean();
        Sinks.One<String> endless = Sinks.one();
        CompletableFuture<String> outcome = ReactiveLocks.withLock(
                        lock, lease -> endless.asMono().doOnCancel(() -> cancelled.set(true)))
                .toFuture();
        until("it is held", () -> client.heldLeases() == 1);
        assertThat(other.admin().forceReleaseNow("stock")).isPresent();
        assertThatThrownBy(() -> outcome.get(20, TimeUnit.SECONDS)).hasCauseInstanceOf(LeaseLostException.class);
        assertThat(cancelled).isTrue();
    }

    /** No heartbeat has told the client: the store says so at the release. */
    @Test
    void lossThatTheReleaseFinds_isTheError() throws Exception {
        assertThatThrownBy(() -> ReactiveLocks.withLock(lock, lease -> Mono.fromCallable(this::lose))
                        .block(LONG))
                .isInstanceOf(LeaseLostException.class);
        assertThatThrownBy(() -> ReactiveLocks.withLock(
                                lock, lease -> Mono.fromCallable(this::lose).then())
                        .block(LONG))
                .isInstanceOf(LeaseLostException.class);
        assertThatThrownBy(() -> ReactiveLocks.withLockMany(lock, lease -> Mono.fromCallable(this::lose))
                        .blockLast(LONG))
                .isInstanceOf(LeaseLostException.class);
        expectGranted();
    }

    private String lose() {
        assertThat(other.admin().forceReleaseNow("stock")).isPresent();
        return "done";
    }

    @Test
    void workThatReleasesItsLease_hasNotLostIt() throws Exception {
        assertThat(ReactiveLocks.withLock(lock, lease -> Mono.fromFuture(lease::releaseAsync))
                        .block(LONG))
                .isEqualTo(ReleaseOutcome.RELEASED);
        assertThat(ReactiveLocks.withLockMany(lock, lease -> Mono.fromFuture(lease::releaseAsync))
                        .blockLast(LONG))
                .isEqualTo(ReleaseOutcome.RELEASED);
        expectGranted();
    }

    @Test
    void values_comeUnderTheLock_andTheEndAfterTheRelease() throws Exception {
        List<Integer> seen = new ArrayList<>();
        ReactiveLocks.withLockMany(lock, lease -> Flux.range(0, 3))
                .doOnNext(value -> {
                    expectRefused();
                    seen.add(value);
                })
                .blockLast(LONG);
        assertThat(seen).containsExactly(0, 1, 2);
        assertThat(client.heldLeases()).isZero();
        expectGranted();
        ReactiveLocks.withLockMany(lock, lease -> Flux.interval(Duration.ofMillis(1)))
                .take(2)
                .blockLast(LONG);
        expectGranted();
    }

    @Test
    void lockThatAnotherHolds_isEmptyInTime_orDoesOtherwise() throws Exception {
        Duration wait = Duration.ofMillis(50);
        try (Lease held = other.lock("stock").acquire()) {
            assertThat(ReactiveLocks.tryAcquire(lock, Duration.ZERO).blockOptional(LONG))
                    .isEmpty();
            assertThat(ReactiveLocks.tryAcquire(lock, wait).blockOptional(LONG)).isEmpty();
            assertThat(ReactiveLocks.tryWithLock(lock, wait, lease -> Mono.just("sold"), Mono.just("not sold"))
                            .block(LONG))
                    .isEqualTo("not sold");
            assertThat(held.isHeld()).isTrue();
        }
        assertThat(ReactiveLocks.tryWithLock(lock, LONG, lease -> Mono.just("sold"), Mono.just("not sold"))
                        .block(LONG))
                .isEqualTo("sold");
        assertThat(ReactiveLocks.tryWithLock(lock, LONG, lease -> Mono.<String>empty(), Mono.just("not sold"))
                        .blockOptional(LONG))
                .as("work without a value is done all the same")
                .isEmpty();
        Lease lease = ReactiveLocks.tryAcquire(lock, LONG).block(LONG);
        assertThat(lease).isNotNull();
        expectRefused();
        assertThat(lease.releaseAsync()).succeedsWithin(LONG);
        expectGranted();
        assertThatThrownBy(() -> ReactiveLocks.tryAcquire(lock, Duration.ofMillis(-1)))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage("the wait must not be negative, but is PT-0.001S");
    }

    @Test
    void permitsAndReaders_areLocksToo() throws Exception {
        Mono<Boolean> two = ReactiveLocks.withLock(
                client.semaphore("permits", 2).permits(2),
                lease -> Mono.fromCallable(() ->
                        other.semaphore("permits", 2).permits(1).tryAcquire().isEmpty()));
        assertThat(two.block(LONG)).isTrue();
        Mono<Boolean> reader = ReactiveLocks.withLock(
                client.readWriteLock("pages").read(),
                lease -> Mono.fromCallable(
                        () -> other.readWriteLock("pages").write().tryAcquire().isEmpty()));
        assertThat(reader.block(LONG)).isTrue();
    }

    @Test
    void waiting_occupiesNoThreadOfReactor() throws Exception {
        try (Lease held = other.lock("stock").acquire()) {
            List<CompletableFuture<Integer>> waiting = IntStream.range(0, 100)
                    .mapToObj(i -> ReactiveLocks.withLock(lock, lease -> Mono.just(i))
                            .subscribeOn(Schedulers.single())
                            .toFuture())
                    .toList();
            until("all wait", () -> client.waitingCallers() == 100);
            assertThat(Mono.just("free").subscribeOn(Schedulers.single()).block(LONG))
                    .isEqualTo("free");
            held.release();
            for (CompletableFuture<Integer> each : waiting) {
                assertThat(each).succeedsWithin(LONG);
            }
        }
    }

    @Test
    void closedClient_isAnError_andNotAnEmptyMono() {
        client.close();
        assertThatThrownBy(() ->
                        ReactiveLocks.withLock(lock, lease -> Mono.just(1)).block(LONG))
                .hasMessageContaining("closed");
        assertThatThrownBy(() ->
                        ReactiveLocks.tryAcquire(lock, Duration.ofMillis(10)).block(LONG))
                .hasMessageContaining("closed");
    }
}
