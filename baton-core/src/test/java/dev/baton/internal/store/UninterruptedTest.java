package dev.baton.internal.store;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowable;

import dev.baton.spi.Deadline;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.FutureTask;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class UninterruptedTest {
    private static final long LONG = TimeUnit.SECONDS.toNanos(30);

    @AfterEach
    void clear() {
        boolean unused = Thread.interrupted();
    }

    @Test
    void wait_thatIsInterruptedTwice_lastsToItsEnd_andKeepsTheInterrupt() throws Exception {
        CountDownLatch begun = new CountDownLatch(2);
        CountDownLatch end = new CountDownLatch(1);
        FutureTask<Boolean> waiting = new FutureTask<>(() -> Uninterrupted.await(Deadline.in(LONG), left -> {
                    begun.countDown();
                    return end.await(left, TimeUnit.NANOSECONDS);
                })
                && Thread.interrupted());
        Thread thread = new Thread(waiting);
        thread.start();
        thread.interrupt();
        // The second time it has been interrupted already.
        assertThat(begun.await(LONG, TimeUnit.NANOSECONDS)).isTrue();
        thread.interrupt();
        assertThat(catchThrowable(() -> waiting.get(50, TimeUnit.MILLISECONDS))).isInstanceOf(TimeoutException.class);
        end.countDown();
        assertThat(waiting.get(LONG, TimeUnit.NANOSECONDS)).isTrue();
    }

    @Test
    void wait_thatEndsForLackOfTime_saysSo_andKeepsTheInterrupt() {
        Thread.currentThread().interrupt();
        Duration most = Duration.ofMillis(20);
        CountDownLatch never = new CountDownLatch(1);
        Deadline deadline = Deadline.in(most.toNanos());
        assertThat(Uninterrupted.await(deadline, left -> never.await(left, TimeUnit.NANOSECONDS)))
                .isFalse();
        assertThat(deadline.leftNanos()).isLessThanOrEqualTo(0);
        assertThat(Thread.interrupted()).isTrue();
    }

    @Test
    void result_andFailure_andSilence_comeThroughAnInterrupt() throws Exception {
        Thread.currentThread().interrupt();
        assertThat(Uninterrupted.get(CompletableFuture.completedFuture(7), Deadline.in(LONG)))
                .isEqualTo(7);
        IllegalStateException cause = new IllegalStateException();
        assertThat(catchThrowable(() -> Uninterrupted.get(CompletableFuture.failedFuture(cause), Deadline.in(LONG))))
                .isInstanceOf(ExecutionException.class)
                .hasCause(cause);
        assertThat(catchThrowable(() -> Uninterrupted.get(new CompletableFuture<>(), Deadline.in(1_000_000))))
                .isInstanceOf(TimeoutException.class);
        assertThat(Thread.interrupted()).isTrue();
    }
}
