package dev.baton;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicReference;
import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.api.Test;

/** Edge cases that a review found; they must not come back. */
class ClientEdgesTest {
    private static final Duration PATIENCE = Duration.ofSeconds(20);

    private static Baton connect(String name) {
        return Baton.connect("memory:edges-" + name);
    }

    @Test
    void callAsync_cancelledWhileItWaits_leavesNothingAndNeverRuns() throws Exception {
        try (Baton one = connect("cancel");
                Baton two = connect("cancel")) {
            Lease held = one.lock("x").acquire();
            AtomicBoolean ran = new AtomicBoolean();
            CompletableFuture<Boolean> call = two.lock("x").supplyAsync(lease -> ran.getAndSet(true));
            assertThat(call.cancel(true)).isTrue();
            held.close();
            Optional<Lease> next = one.lock("x").tryAcquire(PATIENCE);
            assertThat(next).isPresent();
            next.get().close();
            assertThat(ran).isFalse();
            assertThat(one.lock("x").inspect()).isEmpty();
        }
    }

    @Test
    void acquireAsync_timedOutByItsOwner_withdraws() throws Exception {
        try (Baton one = connect("timeout");
                Baton two = connect("timeout")) {
            Lease held = one.lock("x").acquire();
            CompletableFuture<Lease> waiting = two.lock("x").acquireAsync().orTimeout(20, TimeUnit.MILLISECONDS);
            assertThatThrownBy(waiting::join).hasCauseInstanceOf(java.util.concurrent.TimeoutException.class);
            long end = System.nanoTime() + PATIENCE.toNanos();
            while (!one.lock("x").inspect().orElseThrow().waiters().isEmpty()) {
                assertThat(System.nanoTime()).isLessThan(end);
                TimeUnit.MILLISECONDS.sleep(2);
            }
            held.close();
        }
    }

    @Test
    void acquireAsync_afterClose_fails() {
        Baton baton = connect("closed");
        baton.close();
        assertThat(baton.lock("x").acquireAsync()).isCompletedExceptionally();
    }

    @Test
    void call_whoseActionClosedALostLease_isToldOfTheLoss() {
        try (Baton baton = connect("lost")) {
            LockOptions brief = LockOptions.defaults().withLeaseTime(Duration.ofMillis(150));
            assertThatThrownBy(() -> baton.lock("x", brief).call(lease -> {
                        TimeUnit.MILLISECONDS.sleep(300);
                        lease.close();
                        return "done";
                    }))
                    .isInstanceOfSatisfying(
                            LeaseLostException.class,
                            lost -> assertThat(lost.result()).contains("done"));
        }
    }

    @Test
    void callerThatSettlesItself_leavesNoPermitToItsThread() throws Exception {
        try (Baton baton = connect("permit")) {
            // Uses up a permit that an earlier test may have left.
            LockSupport.parkNanos(1);
            for (int i = 0; i < 20; i++) {
                baton.lock("x").acquire().close();
                long start = System.nanoTime();
                LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(5));
                assertThat(System.nanoTime() - start).isGreaterThan(TimeUnit.MILLISECONDS.toNanos(4));
            }
        }
    }

    @Test
    void callbackExecutor_thatRunsInTheCaller_isNotLetOntoTheWatchdog() throws Exception {
        Executor here = Runnable::run;
        BatonOptions options = BatonOptions.builder().callbackExecutor(here).build();
        AtomicReference<String> thread = new AtomicReference<>();
        try (Baton baton = Baton.connect("memory:edges-caller-runs", options)) {
            LockOptions brief = LockOptions.defaults().withLeaseTime(Duration.ofMillis(150));
            Lease lease = baton.lock("x", brief).acquire();
            CompletableFuture<String> told = new CompletableFuture<>();
            lease.onLost(cause -> told.complete(Thread.currentThread().getName()));
            thread.set(told.get(PATIENCE.toMillis(), TimeUnit.MILLISECONDS));
            assertThat(thread.get())
                    .doesNotContain("watchdog")
                    .doesNotContain("-io")
                    .doesNotContain("heartbeat");
            assertThat(lease.isHeld()).isFalse();
        }
    }
}
