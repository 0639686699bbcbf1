package dev.baton.chaos.client;

import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Executor;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;

/**
 * What runs the callbacks of a client: a pool with few threads and a short queue, as careless applications have it. All
 * of them can be held up: then its threads wait, its queue fills, and it refuses more. Thread-safe.
 */
final class Callbacks implements Executor, AutoCloseable {
    /** Fewer than callers, so that the queue fills and tasks are refused. */
    private static final int THREADS = 2;

    private static final int QUEUE = 1;

    private final ThreadPoolExecutor pool = new ThreadPoolExecutor(
            THREADS, THREADS, 0, TimeUnit.SECONDS, new ArrayBlockingQueue<>(QUEUE), Callbacks::thread);
    private volatile CountDownLatch gate = new CountDownLatch(0);
    private volatile Runnable counted = () -> {};

    private static Thread thread(Runnable work) {
        Thread thread = new Thread(work, "callbacks");
        thread.setDaemon(true);
        return thread;
    }

    @Override
    public void execute(Runnable task) {
        pool.execute(() -> {
            pass();
            task.run();
        });
    }

    /** Returns at once or, while callbacks are held up, when they go on. */
    void pass() {
        CountDownLatch now = gate;
        if (now.getCount() == 0) {
            return;
        }
        counted.run();
        try {
            now.await();
        } catch (InterruptedException closing) {
            Thread.currentThread().interrupt();
        }
    }

    /**
     * Holds all callbacks up.
     *
     * @param count is called for each that is held up
     */
    void hold(Runnable count) {
        counted = count;
        gate = new CountDownLatch(1);
    }

    /** Lets them go on. */
    void goOn() {
        gate.countDown();
    }

    @Override
    public void close() {
        goOn();
        pool.shutdownNow();
    }
}
