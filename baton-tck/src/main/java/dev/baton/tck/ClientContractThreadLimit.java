package dev.baton.tck;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.baton.Baton;
import dev.baton.BatonEvent;
import dev.baton.DistributedLock;
import dev.baton.Lease;
import dev.baton.LockOptions;
import dev.baton.LossCause;
import dev.baton.ReleaseOutcome;
import dev.baton.StoreException;
import dev.baton.internal.client.SystemClock;
import dev.baton.spi.StoreFailure;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ThreadFactory;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/**
 * A process that cannot start another thread. Every caller gets a lease, an empty result or a {@link StoreException} in
 * time, held locks stay held, and everything works again as soon as threads can be started.
 */
public abstract class ClientContractThreadLimit extends ClientContract {
    private static final Duration STORE_TIMEOUT = Duration.ofSeconds(2);

    /** For subclasses. */
    protected ClientContractThreadLimit() {}

    /**
     * An asynchronous caller may get its answer from the store timeout, or from the end of a lease that no thread took.
     */
    private Duration inTime() {
        return STORE_TIMEOUT.plus(lasting()).plus(MARGIN);
    }

    private Duration brief() {
        return lease(Duration.ofMillis(200));
    }

    /** Makes threads that fail to start while the limit is on. */
    private static final class Limit implements ThreadFactory {
        private final AtomicInteger refused = new AtomicInteger();
        private volatile boolean on;

        @Override
        public Thread newThread(Runnable work) {
            return new Thread(work) {
                @Override
                @SuppressWarnings("UnsynchronizedOverridesSynchronized") // nothing of its own to guard
                public void start() {
                    if (on) {
                        refused.incrementAndGet();
                        throw new OutOfMemoryError("unable to create native thread (by a test)");
                    }
                    super.start();
                }
            };
        }
    }

    private Baton connect(Limit limit, BatonEventCount events) throws StoreFailure {
        return connect(
                lastingOptions()
                        .storeTimeout(STORE_TIMEOUT)
                        .listener(events::count)
                        .build(),
                new FaultyStore(),
                SystemClock.INSTANCE,
                limit);
    }

    /** Counts events. */
    private static final class BatonEventCount {
        private final AtomicInteger acquired = new AtomicInteger();

        void count(BatonEvent event) {
            if (event.type() == BatonEvent.Type.ACQUIRED || event.type() == BatonEvent.Type.HANDED_OFF) {
                acquired.incrementAndGet();
            }
        }
    }

    // ---- threads of the client's own -----------------------------------------------------------------------------

    @Test
    void connect_whereNoThreadCanBeStarted_isRefusedAndSaysWhy() throws Exception {
        Limit limit = new Limit();
        limit.on = true;
        assertThatThrownBy(() -> connect(limit, new BatonEventCount()))
                .isInstanceOf(StoreFailure.class)
                .hasMessageContaining("cannot start the threads");
        limit.on = false;
        assertThat(connect(limit, new BatonEventCount()).lock("later").tryAcquire())
                .isPresent();
    }

    @Tag("serial")
    @EachMode
    void client_thatCanStartNoThreads_answersEveryCallerInTime_andWorksAfterwards(Mode mode) throws Exception {
        Limit limit = new Limit();
        BatonEventCount events = new BatonEventCount();
        Baton client = connect(limit, events);
        Lease renewed = mode.acquire(client.lock("renewed"));
        limit.on = true;
        for (int round = 0; round < 3; round++) {
            int name = round;
            List<Work<Boolean>> callers = new ArrayList<>();
            callers.add(mode.start(() -> isAnswered(() -> mode.acquire(client.lock("waits " + name)))));
            callers.add(mode.start(() -> isAnswered(
                    () -> mode.tryAcquire(client.lock("tries " + name), lease()).orElse(null))));
            callers.add(mode.start(
                    () -> isAnswered(() -> joined(client.lock("asks " + name).acquireAsync()))));
            callers.add(mode.start(
                    () -> isAnswered(() -> joined(client.lock("calls " + name).supplyAsync(lease -> lease)))));
            callers.add(mode.start(() -> isAnswered(() -> joined(
                    client.lock("queues " + name % 2).tryAcquireAsync(lease()).thenApply(Optional::orElseThrow)))));
            for (Work<Boolean> caller : callers) {
                assertThat(caller.get(inTime().plus(MARGIN))).isTrue();
            }
        }
        CompletableFuture<LossCause> told = new CompletableFuture<>();
        Lease lost = client.lock("lost", LockOptions.defaults().withLeaseTime(brief()))
                .acquire()
                .onLost(told::complete);
        assertThat(told.get(PATIENCE.toSeconds(), TimeUnit.SECONDS)).isEqualTo(LossCause.EXPIRED);
        // Keeps the lease reachable until now: one that the application can no longer reach tells nothing.
        assertThat(lost.isHeld()).isFalse();
        throughout(lasting().multipliedBy(2), "renewed", renewed::isHeld);
        assertThat(limit.refused).hasPositiveValue();

        limit.on = false;
        int before = events.acquired.get();
        for (int round = 0; round < 3; round++) {
            for (String kind : List.of("waits ", "tries ", "asks ", "calls ")) {
                DistributedLock lock = client.lock(kind + round);
                assertThat(mode.release(mode.tryAcquire(lock, PATIENCE).orElseThrow()))
                        .isEqualTo(ReleaseOutcome.RELEASED);
                assertThat(joined(lock.supplyAsync(Lease::isHeld))).isTrue();
            }
        }
        until("events are told", () -> events.acquired.get() > before);
        assertThat(renewed.isHeld()).isTrue();
    }

    private interface Asked {
        @Nullable
        Lease ask() throws Exception;
    }

    /** Returns whether a caller gets a lease, an empty result or a StoreException in time. Releases the lease. */
    private boolean isAnswered(Asked asked) throws Exception {
        long start = System.nanoTime();
        try {
            Lease lease = asked.ask();
            if (lease != null) {
                lease.releaseAsync().get(PATIENCE.toSeconds(), TimeUnit.SECONDS);
            }
        } catch (StoreException expected) {
            assertThat(expected).hasMessageNotContaining("defect");
        } catch (java.util.NoSuchElementException empty) {
            assertThat(empty).isNotNull();
        }
        assertThat(Duration.ofNanos(System.nanoTime() - start)).isLessThan(inTime());
        return true;
    }

    private static <T> T joined(CompletableFuture<T> future) throws Exception {
        try {
            return future.get(PATIENCE.toSeconds(), TimeUnit.SECONDS);
        } catch (java.util.concurrent.ExecutionException failed) {
            throw failed.getCause() instanceof Exception cause ? cause : failed;
        }
    }

    // ---- threads of the process ----------------------------------------------------------------------------------

    @Test
    @Tag("serial")
    void process_atItsLimitOfThreads_answersEveryCallerInTime_andWorksAfterwards() throws Exception {
        ThreadLimitedProcess.requireTools();
        fixture().admitOtherUsers();
        try (ThreadLimitedProcess child =
                ThreadLimitedProcess.start(fixture().uri(), lasting(), lasting(), STORE_TIMEOUT, inTime(), brief())) {
            // Where a grant is expected, a caller waits long enough for the first answer of a busy machine.
            child.round("before", STORE_TIMEOUT).assertAllGranted();
            child.forbidThreads();
            assertThat(child.connect()).startsWith("REFUSED StoreException");
            for (int i = 0; i < 3; i++) {
                child.round("limited " + i, brief()).assertAllAnswered();
            }
            child.allowThreads();
            assertThat(child.connect()).isEqualTo("CONNECTED");
            // The first callers may still see the effect of threads that were refused before.
            child.round("after", brief()).assertAllAnswered();
            child.round("again", STORE_TIMEOUT).assertAllGranted();
        }
    }
}
