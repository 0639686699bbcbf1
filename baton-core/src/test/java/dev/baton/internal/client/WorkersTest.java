package dev.baton.internal.client;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ThreadFactory;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.BooleanSupplier;
import org.junit.jupiter.api.Test;

/** Threads that start and end, or cannot be started. */
class WorkersTest {
    private static final long PATIENCE_NANOS = 30_000_000_000L;

    private final AtomicInteger faults = new AtomicInteger();

    private Workers workers(int most, int bound, ThreadFactory factory) {
        return new Workers("test", most, 0, bound, factory, fault -> faults.incrementAndGet());
    }

    private static void until(BooleanSupplier condition) throws InterruptedException {
        long end = System.nanoTime() + PATIENCE_NANOS;
        while (!condition.getAsBoolean()) {
            assertThat(System.nanoTime()).as("in time").isLessThan(end);
            TimeUnit.MILLISECONDS.sleep(1);
        }
    }

    private static Thread unstartable() {
        return new Thread() {
            @Override
            @SuppressWarnings("UnsynchronizedOverridesSynchronized") // nothing to guard
            public void start() {
                throw new OutOfMemoryError("unable to create native thread (by a test)");
            }
        };
    }

    @Test
    void tasksThatBlock_keepNoOtherWaiting() throws Exception {
        CountDownLatch open = new CountDownLatch(1);
        AtomicInteger begun = new AtomicInteger();
        Workers workers = workers(1_001, Integer.MAX_VALUE, Thread::new);
        for (int i = 0; i < 1_000; i++) {
            assertThat(workers.submit(() -> {
                        begun.incrementAndGet();
                        await(open);
                    }))
                    .isTrue();
        }
        until(() -> begun.get() == 1_000);
        open.countDown();
        workers.close();
    }

    private static void await(CountDownLatch latch) {
        try {
            latch.await();
        } catch (InterruptedException unexpected) {
            throw new AssertionError(unexpected);
        }
    }

    @Test
    void burstOfShortTasks_startsFewThreads() throws Exception {
        AtomicInteger started = new AtomicInteger();
        AtomicInteger done = new AtomicInteger();
        Workers workers = workers(2_048, Integer.MAX_VALUE, work -> {
            started.incrementAndGet();
            return new Thread(work);
        });
        for (int i = 0; i < 100_000; i++) {
            workers.submit(done::incrementAndGet);
        }
        until(() -> done.get() == 100_000);
        assertThat(started.get()).isLessThan(100);
        workers.close();
    }

    @Test
    void task_isRunExactlyIfItWasAccepted_howeverStartsFail() throws Exception {
        for (long seed = 1; seed <= 20; seed++) {
            SplittableRandom random = new SplittableRandom(seed);
            ThreadFactory flaky = work -> {
                synchronized (random) {
                    return random.nextInt(3) > 0 ? unstartable() : new Thread(work);
                }
            };
            Workers workers = workers(1 + (int) seed % 4, Integer.MAX_VALUE, flaky);
            AtomicInteger accepted = new AtomicInteger();
            AtomicInteger run = new AtomicInteger();
            List<Thread> submitters = new ArrayList<>();
            for (int i = 0; i < 4; i++) {
                Thread submitter = new Thread(() -> {
                    for (int k = 0; k < 200; k++) {
                        if (workers.submit(run::incrementAndGet)) {
                            accepted.incrementAndGet();
                        }
                    }
                });
                submitter.start();
                submitters.add(submitter);
            }
            for (Thread submitter : submitters) {
                submitter.join();
            }
            until(() -> run.get() == accepted.get());
            // Idle threads end soon, so the next task needs a thread start, which may fail.
            workers.retire();
        }
    }

    @Test
    void taskThatThrows_disturbsNoOther() throws Exception {
        AtomicInteger done = new AtomicInteger();
        Workers workers = workers(1, 10, Thread::new);
        workers.submit(() -> {
            Thread.currentThread().interrupt();
            throw new AssertionError("a task of a test that fails");
        });
        workers.submit(done::incrementAndGet);
        until(() -> done.get() == 1);
        assertThat(faults).hasValue(1);
        workers.close();
    }

    @Test
    void queueThatIsFull_refuses() throws Exception {
        CountDownLatch open = new CountDownLatch(1);
        CountDownLatch begun = new CountDownLatch(1);
        Workers workers = workers(1, 2, Thread::new);
        assertThat(workers.submit(() -> {
                    begun.countDown();
                    await(open);
                }))
                .isTrue();
        await(begun);
        assertThat(workers.submit(() -> {})).isTrue();
        assertThat(workers.submit(() -> {})).isTrue();
        assertThat(workers.submit(() -> {})).isFalse();
        assertThat(workers.queued()).isEqualTo(2);
        open.countDown();
        until(() -> workers.queued() == 0);
        workers.close();
        assertThat(workers.submit(() -> {})).isFalse();
    }

    @Test
    void keptThread_thatCannotBeStarted_isTold() {
        Workers workers = new Workers("test", 2, 2, 10, work -> unstartable(), fault -> {});
        assertThatThrownBy(workers::startKept).isInstanceOf(OutOfMemoryError.class);
        assertThat(workers.submit(() -> {})).isFalse();
    }

    @Test
    void threadsOfRetiredWorkers_endAndComeBackWhenNeeded() throws Exception {
        AtomicInteger alive = new AtomicInteger();
        AtomicInteger done = new AtomicInteger();
        Workers workers = new Workers(
                "test",
                8,
                1,
                10,
                work -> new Thread(() -> {
                    alive.incrementAndGet();
                    work.run();
                    alive.decrementAndGet();
                }),
                fault -> {});
        workers.startKept();
        until(() -> alive.get() == 1);
        workers.retire();
        until(() -> alive.get() == 0);
        assertThat(workers.submit(done::incrementAndGet)).isTrue();
        until(() -> done.get() == 1);
        until(() -> alive.get() == 0);
    }
}
