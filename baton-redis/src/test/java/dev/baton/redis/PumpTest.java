package dev.baton.redis;

import static org.assertj.core.api.Assertions.assertThat;

import dev.baton.spi.Deadline;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(120)
class PumpTest {
    private static final String NAME = "pump-test";

    private final AtomicInteger runs = new AtomicInteger();
    private final AtomicReference<Thread> thread = new AtomicReference<>();
    private final Semaphore ran = new Semaphore(0);
    private final Pump pump = new Pump(this::run, NAME);
    private volatile Runnable extra = () -> {};

    private void run() {
        thread.set(Thread.currentThread());
        runs.incrementAndGet();
        ran.release();
        extra.run();
    }

    /** The test counts threads by name: a thread that has not ended yet would count in the next test. */
    @AfterEach
    void close() throws InterruptedException {
        pump.close();
        Thread started = thread.get();
        if (started != null) {
            started.join(TimeUnit.SECONDS.toMillis(10));
        }
        assertThat(threads()).isZero();
    }

    private static long threads() {
        return Thread.getAllStackTraces().keySet().stream()
                .filter(each -> each.getName().equals(NAME))
                .count();
    }

    private void awaitRun() throws InterruptedException {
        assertThat(ran.tryAcquire(10, TimeUnit.SECONDS)).isTrue();
    }

    @Test
    void thread_startsWithTheFirstWake_andEndsWithClose() throws Exception {
        assertThat(threads()).isZero();
        pump.wake();
        awaitRun();
        assertThat(threads()).isOne();
        assertThat(thread.get().isDaemon()).isTrue();
        pump.wake();
        awaitRun();
        assertThat(threads()).isOne();
        pump.close();
        thread.get().join(20_000);
        assertThat(threads()).isZero();
        pump.wake();
        assertThat(threads()).isZero();
        assertThat(runs).hasValue(2);
    }

    @Test
    void wakes_whileItRuns_areOne_andNoneIsLost() throws Exception {
        CountDownLatch go = new CountDownLatch(1);
        extra = () -> {
            try {
                go.await();
            } catch (InterruptedException e) {
                throw new IllegalStateException(e);
            }
        };
        pump.wake();
        awaitRun();
        for (int i = 0; i < 10; i++) {
            pump.wake();
        }
        go.countDown();
        awaitRun();
        Thread.sleep(50);
        assertThat(runs).hasValue(2);
    }

    @Test
    void everyWake_isFollowedByARun() throws Exception {
        for (int i = 0; i < 20_000; i++) {
            int before = runs.get();
            pump.wake();
            Deadline deadline = Deadline.in(TimeUnit.SECONDS.toNanos(20));
            while (runs.get() == before) {
                assertThat(deadline.leftNanos()).as("after wake %d", i).isPositive();
                Thread.onSpinWait();
            }
        }
    }

    @Test
    void firstWakes_ofManyThreads_startOneThread() throws Exception {
        Thread[] wakers = new Thread[16];
        for (int i = 0; i < wakers.length; i++) {
            wakers[i] = new Thread(pump::wake);
        }
        for (Thread waker : wakers) {
            waker.start();
        }
        for (Thread waker : wakers) {
            waker.join();
        }
        awaitRun();
        assertThat(threads()).isOne();
    }

    @Test
    void interrupt_meansNothing_andIsNoBusyLoop() throws Exception {
        pump.wake();
        awaitRun();
        thread.get().interrupt();
        Thread.sleep(50);
        Deadline deadline = Deadline.in(TimeUnit.SECONDS.toNanos(20));
        while (thread.get().getState() != Thread.State.WAITING) {
            assertThat(deadline.leftNanos()).isPositive();
        }
        assertThat(runs).hasValue(1);
        pump.wake();
        awaitRun();
        assertThat(runs).hasValue(2);
    }

    @Test
    void taskThatFails_isRunAgain() throws Exception {
        extra = () -> {
            Thread.currentThread().setUncaughtExceptionHandler((failed, fault) -> ran.release());
            throw new OutOfMemoryError("not really");
        };
        pump.wake();
        awaitRun();
        awaitRun();
        extra = () -> {};
        pump.wake();
        awaitRun();
        assertThat(runs).hasValue(2);
        assertThat(threads()).isOne();
    }
}
