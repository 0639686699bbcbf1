package dev.baton.internal.client;

import java.util.ArrayDeque;
import java.util.Queue;
import java.util.concurrent.ThreadFactory;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * Threads for one kind of work, as many as that work needs, up to a bound. Submitting never throws, and takes no longer
 * than to start a thread.
 *
 * <p>Tasks may block for any time. While some do, and the bound allows it, two more threads wait: when one of them
 * takes a task, the other starts a successor, so that no task waits for a thread to start. The last waiting thread
 * takes no task while the others take tasks at short intervals, so a burst of short tasks does not start a thread for
 * each. If a thread cannot be started, the existing threads do the work. The start is retried by the waiting thread,
 * with the next task, or by {@link #help}.
 */
final class Workers {
    private static final long IDLE_NANOS = TimeUnit.SECONDS.toNanos(30);

    /** Threads of a closed client end soon, but not between the callbacks of one close. */
    private static final long RETIRED_IDLE_NANOS = TimeUnit.MILLISECONDS.toNanos(200);

    /** 200 µs: as long as tasks are taken more often than this, the threads that take them are enough. */
    private static final long PACE_NANOS = 200_000;

    /** 500 ms: a shortage of threads rarely ends sooner, and the JVM prints a warning for each attempt. */
    private static final long RETRY_NANOS = 500_000_000;

    private final String name;
    private final int most;
    private final int bound;
    private final ThreadFactory factory;
    private final Consumer<Throwable> onFault;
    private final AtomicLong number = new AtomicLong();
    private final ReentrantLock lock = new ReentrantLock();
    private final Condition change = lock.newCondition();
    private final Condition started = lock.newCondition();
    private final Queue<Runnable> queue = new ArrayDeque<>();
    private int kept;
    private int threads;

    /** The number of threads whose start may still fail. */
    private int starting;

    /** The number of threads that are being started or have not yet asked for their first task. */
    private int arriving;

    private int waiting;

    /** Whether the last waiting thread leaves tasks to the others for a moment. */
    private boolean pacing;

    private boolean closed;
    private long idleNanos = IDLE_NANOS;
    private long lastTakeNanos = now() - PACE_NANOS;
    private long nextStartNanos = now();

    /**
     * Creates workers without starting a thread.
     *
     * @param name of the threads, before their numbers
     * @param most the bound of threads
     * @param kept the number of threads that never end while this is open; {@link #startKept} starts them
     * @param bound the bound of waiting tasks
     * @param factory makes the threads
     * @param onFault receives exceptions of tasks; must not throw
     */
    Workers(String name, int most, int kept, int bound, ThreadFactory factory, Consumer<Throwable> onFault) {
        this.name = name;
        this.most = most;
        this.kept = kept;
        this.bound = bound;
        this.factory = factory;
        this.onFault = onFault;
    }

    private static long now() {
        return SystemClock.INSTANCE.nanos();
    }

    /** Starts the threads that are kept. If one cannot be started, throws the error. */
    void startKept() {
        for (int i = 0; i < kept; i++) {
            lock.lock();
            try {
                threads++;
                starting++;
                arriving++;
            } finally {
                lock.unlock();
            }
            start();
        }
    }

    /**
     * Submits a task.
     *
     * @return false if it will not run: too many tasks wait, this is closed, or there is no thread and none can be
     *     started
     */
    boolean submit(Runnable task) {
        boolean starts;
        boolean taken;
        lock.lock();
        try {
            if (closed || queue.size() >= bound) {
                return false;
            }
            queue.add(task);
            if (waiting > (pacing ? 1 : 0)) {
                change.signal();
            }
            starts = reserve();
            taken = threads > starting;
        } finally {
            lock.unlock();
        }
        if (starts) {
            startReserved();
        }
        return taken || !withdrawn(task);
    }

    /** Starts a thread if tasks wait and no thread waits for them, because an earlier start failed. */
    void help() {
        boolean starts;
        lock.lock();
        try {
            starts = !queue.isEmpty() && reserve();
        } finally {
            lock.unlock();
        }
        if (starts) {
            startReserved();
        }
    }

    /** Returns the number of waiting tasks. */
    int queued() {
        lock.lock();
        try {
            return queue.size();
        } finally {
            lock.unlock();
        }
    }

    /** Takes no more tasks; waiting tasks still run. */
    void close() {
        lock.lock();
        try {
            closed = true;
            kept = 0;
            change.signalAll();
        } finally {
            lock.unlock();
        }
    }

    /** Still takes tasks, but keeps no threads. */
    void retire() {
        lock.lock();
        try {
            kept = 0;
            idleNanos = RETIRED_IDLE_NANOS;
            change.signalAll();
        } finally {
            lock.unlock();
        }
    }

    // ---- starting ------------------------------------------------------------------------------------------------

    /** Counts a thread to be started, if one is needed and the start may be tried. Under the lock. */
    private boolean reserve() {
        boolean needed = threads == starting || (waiting == 0 && arriving == 0 && isTimeToStart());
        boolean starts = threads < most && needed;
        if (starts) {
            threads++;
            starting++;
            arriving++;
        }
        return starts;
    }

    private boolean isTimeToStart() {
        return now() - nextStartNanos >= 0;
    }

    private void startReserved() {
        try {
            start();
        } catch (Throwable noThread) {
            // The callers check the number of threads.
        }
    }

    /** Starts a thread that is counted already. */
    private void start() {
        boolean success = false;
        try {
            Thread thread = factory.newThread(this::work);
            thread.setName(name + '-' + number.incrementAndGet());
            thread.setDaemon(true);
            thread.start();
            success = true;
        } finally {
            ended(success);
        }
    }

    private void ended(boolean success) {
        lock.lock();
        try {
            starting--;
            if (!success) {
                threads--;
                arriving--;
                nextStartNanos = now() + RETRY_NANOS;
            }
            started.signalAll();
        } finally {
            lock.unlock();
        }
    }

    /** Takes back a task that no thread would run. Waits for starts that others have begun, but not for threads. */
    private boolean withdrawn(Runnable task) {
        lock.lock();
        try {
            while (threads > 0 && threads == starting) {
                started.awaitUninterruptibly();
            }
            return threads == 0 && queue.remove(task);
        } finally {
            lock.unlock();
        }
    }

    // ---- working -------------------------------------------------------------------------------------------------

    private void work() {
        lock.lock();
        try {
            arriving--;
        } finally {
            lock.unlock();
        }
        boolean goesOn = true;
        while (goesOn) {
            goesOn = workOnce();
        }
    }

    /**
     * Runs one task; false if this thread must end. This is a separate method because a local variable of the loop
     * would keep the last task reachable while the thread waits, and so also a lease that the application no longer
     * reaches.
     */
    private boolean workOnce() {
        Runnable task = take();
        if (task == null) {
            return false;
        }
        try {
            task.run();
        } catch (Throwable fault) {
            onFault.accept(fault);
        }
        // An interrupt was meant for the task.
        boolean unused = Thread.interrupted();
        return true;
    }

    private @Nullable Runnable take() {
        Runnable task;
        boolean starts = false;
        lock.lock();
        try {
            waiting++;
            task = awaitTask();
            waiting--;
            if (task == null) {
                threads--;
            } else {
                lastTakeNanos = now();
                starts = reserve();
                if (waiting == 1 && threads < most) {
                    // To start another.
                    change.signal();
                }
            }
        } finally {
            lock.unlock();
        }
        if (starts) {
            startReserved();
        }
        return task;
    }

    /** Waits for a task; null if this thread must end. Under the lock. */
    private @Nullable Runnable awaitTask() {
        long left = idleNanos;
        while (true) {
            boolean alone = waiting == 1 && threads > 1 && threads < most;
            long pause = alone ? lastTakeNanos + PACE_NANOS - now() : 0;
            if (!queue.isEmpty() && pause <= 0) {
                return queue.poll();
            }
            if (queue.isEmpty() && (closed || (left <= 0 && mayEnd()))) {
                return null;
            }
            if (pause > 0) {
                pacing = true;
                await(pause);
                pacing = false;
            } else if (alone && arriving == 0 && isTimeToStart()) {
                startAnother();
            } else if (alone) {
                await(RETRY_NANOS);
            } else {
                left = await(left > 0 ? Math.min(left, idleNanos) : idleNanos);
            }
        }
    }

    /** A thread beyond the kept ones may end, unless it is one of the two that wait while others work. */
    private boolean mayEnd() {
        return threads > kept && (waiting > 2 || threads == waiting);
    }

    /**
     * All other threads work: starts one that waits, before this one has to take a task. Releases the lock meanwhile.
     */
    private void startAnother() {
        threads++;
        starting++;
        arriving++;
        waiting--;
        lock.unlock();
        try {
            startReserved();
        } finally {
            lock.lock();
            waiting++;
        }
    }

    @SuppressWarnings("WaitNotInLoop") // its caller checks again
    private long await(long nanos) {
        try {
            return change.awaitNanos(nanos);
        } catch (InterruptedException meantForATask) {
            return nanos;
        }
    }
}
