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
 * <p>Tasks may block for as long as they like. Below the bound one more thread always waits than is needed: the last one
 * that waits starts its successor before it takes a task. It takes none while the others take tasks at short intervals,
 * so a burst of short tasks does not start a thread for each. Where a thread cannot be started, the threads that are
 * there do the work, and the start is tried again with the next task or by {@link #help}.
 */
final class Workers {
    private static final long IDLE_NANOS = TimeUnit.SECONDS.toNanos(30);

    /** Threads of a closed client end soon, but not between the callbacks of one close. */
    private static final long RETIRED_IDLE_NANOS = TimeUnit.MILLISECONDS.toNanos(200);

    /** 200 µs: as long as tasks are taken more often than this, the threads that take them are enough. */
    private static final long PACE_NANOS = 200_000;

    /** 100 ms: what keeps threads from starting does not pass sooner. */
    private static final long RETRY_NANOS = 100_000_000;

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

    /** Of the threads, those whose start may still fail. */
    private int starting;

    private int waiting;

    /** Whether the last thread that waits leaves tasks to the others for a moment. */
    private boolean pacing;

    private boolean closed;
    private long idleNanos = IDLE_NANOS;
    private long lastTakeNanos = now() - PACE_NANOS;
    private long nextStartNanos = now();

    /**
     * Threads for one kind of work; none is started yet.
     *
     * @param name of the threads, before their numbers
     * @param most the bound of threads
     * @param kept how many never end while this is open; {@link #startKept} starts them
     * @param bound the bound of tasks that wait for a thread
     * @param factory makes the threads
     * @param onFault hears what tasks throw; must not throw
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

    /** Starts the threads that are kept. Throws whatever keeps one from starting. */
    void startKept() {
        for (int i = 0; i < kept; i++) {
            lock.lock();
            try {
                threads++;
                starting++;
            } finally {
                lock.unlock();
            }
            start();
        }
    }

    /**
     * Hands a task over.
     *
     * @return false if it will not be run: too many wait, this is closed, or there is no thread and none can be started
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

    /** Starts a thread if tasks wait and no thread waits for them: for when that failed before. */
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

    /** How many tasks wait for a thread. */
    int queued() {
        lock.lock();
        try {
            return queue.size();
        } finally {
            lock.unlock();
        }
    }

    /** Takes no more tasks; those that wait are still run. */
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

    /** Goes on taking tasks, but keeps no threads. */
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

    /** Counts a thread that is going to be started, if one is needed and may be tried. Under the lock. */
    private boolean reserve() {
        boolean starts = waiting == 0 && threads < most && (threads == starting || isTimeToStart());
        if (starts) {
            threads++;
            starting++;
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
            // Whoever needs a thread sees how many there are.
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
                nextStartNanos = now() + RETRY_NANOS;
            }
            started.signalAll();
        } finally {
            lock.unlock();
        }
    }

    /** Takes a task back that no thread would come to. Waits for starts that others have begun, but not for threads. */
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
        for (Runnable task = take(); task != null; task = take()) {
            try {
                task.run();
            } catch (Throwable fault) {
                onFault.accept(fault);
            }
            // An interrupt was meant for the task.
            boolean unused = Thread.interrupted();
        }
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
            }
        } finally {
            lock.unlock();
        }
        if (starts) {
            startReserved();
        }
        return task;
    }

    /** Waits for a task; null if this thread is to end. Under the lock. */
    private @Nullable Runnable awaitTask() {
        long left = idleNanos;
        while (true) {
            if (!queue.isEmpty()) {
                long pause = pauseNanos();
                if (pause <= 0) {
                    return queue.poll();
                }
                pacing = true;
                await(pause);
                pacing = false;
            } else if (closed || (left <= 0 && threads > kept)) {
                return null;
            } else if (threads > kept) {
                left = await(Math.min(left, idleNanos));
            } else {
                await(Long.MAX_VALUE);
            }
        }
    }

    /** How long the last one that waits leaves the tasks to those that are at work. */
    private long pauseNanos() {
        boolean last = waiting == 1 && threads > 1 && threads < most;
        return last ? lastTakeNanos + PACE_NANOS - now() : 0;
    }

    @SuppressWarnings("WaitNotInLoop") // its caller looks again
    private long await(long nanos) {
        try {
            return change.awaitNanos(nanos);
        } catch (InterruptedException meantForATask) {
            return nanos;
        }
    }
}
