package dev.baton.bench;

import com.sun.management.OperatingSystemMXBean;
import dev.baton.bench.Contestant.Worker;
import dev.baton.bench.jvm.Stopwatch;
import java.lang.management.ManagementFactory;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.Phaser;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicLongArray;
import org.HdrHistogram.Histogram;

/** One turn of a team: all threads start together, and the figures are read before any of them ends. */
final class Turn implements AutoCloseable {
    /** The time limit for threads to begin or to end. If it passes, a thread waits for a lock that it will not get. */
    static final Duration PATIENCE = Duration.ofSeconds(60);

    private static final OperatingSystemMXBean PROCESS =
            (OperatingSystemMXBean) ManagementFactory.getOperatingSystemMXBean();

    private final List<List<Worker>> clients;
    private final Section section;
    private final Board board;
    /** All threads meet here four times: before and after the first figures, and before and after the last. */
    private final Phaser gate;

    private final ExecutorService threads;
    private final AtomicLongArray operations;
    private final Queue<Histogram> waits = new ConcurrentLinkedQueue<>();
    private List<Future<Boolean>> playing = List.of();

    Turn(List<List<Worker>> clients, Section section, Board board) {
        this.clients = clients;
        this.section = section;
        this.board = board;
        int workers = clients.stream().mapToInt(List::size).sum();
        this.gate = new Phaser(workers + 1);
        this.threads = Executors.newFixedThreadPool(workers, Turn::daemon);
        this.operations = new AtomicLongArray(clients.size());
    }

    private static Thread daemon(Runnable task) {
        Thread thread = new Thread(task, "bench-worker");
        thread.setDaemon(true); // a thread that hangs must not keep the program alive
        return thread;
    }

    void ready() throws InterruptedException {
        List<Future<Boolean>> started = new ArrayList<>();
        for (int i = 0; i < clients.size(); i++) {
            int client = i;
            clients.get(i).forEach(worker -> started.add(threads.submit(() -> play(client, worker))));
        }
        playing = started;
        meet();
    }

    Part run() throws InterruptedException {
        Allocations allocations = Allocations.now();
        long cpu = PROCESS.getProcessCpuTime();
        Stopwatch watch = Stopwatch.started();
        meet();
        while (board.isRunning() && !hasEnded()) {
            Stopwatch.rest(Crew.STEP_NANOS);
        }
        meet();
        long nanos = watch.nanos();
        return new Part(
                nanos,
                done(),
                clients.stream().flatMap(List::stream).mapToLong(Worker::faults).sum(),
                Allocations.now().since(allocations),
                PROCESS.getProcessCpuTime() - cpu,
                Waits.sum(waits),
                section.handOvers());
    }

    private boolean hasEnded() {
        return gate.isTerminated();
    }

    private List<Long> done() {
        List<Long> done = new ArrayList<>();
        for (int i = 0; i < clients.size(); i++) {
            done.add(operations.get(i));
        }
        return done;
    }

    void leave() throws InterruptedException {
        meet();
        requireNoFailure(PATIENCE);
    }

    private boolean play(int client, Worker worker) throws Exception {
        try {
            worker.enter();
            meetAsWorker();
            meetAsWorker();
            Timed timed = new Timed(section);
            long count = 0;
            // Once at least: after a pause of this process the time of a short turn may be over already.
            do {
                timed.asks();
                count += worker.work(worker.isTimed() ? timed : section);
                section.pause(board::isRunning);
            } while (board.isRunning());
            operations.addAndGet(client, count);
            waits.add(timed.waits);
            meetAsWorker();
            meetAsWorker();
            worker.leave();
            return true;
        } catch (Exception | Error e) {
            board.stop();
            gate.forceTermination();
            throw e;
        }
    }

    private void meetAsWorker() {
        gate.arriveAndAwaitAdvance();
    }

    /** Waits for all threads; throws the failure of a worker. */
    private void meet() throws InterruptedException {
        try {
            gate.awaitAdvanceInterruptibly(gate.arrive(), PATIENCE.toSeconds(), TimeUnit.SECONDS);
        } catch (TimeoutException e) {
            throw new IllegalStateException("a thread did not come back within " + PATIENCE, e);
        }
        if (hasEnded()) {
            requireNoFailure(PATIENCE);
        }
    }

    private void requireNoFailure(Duration patience) throws InterruptedException {
        Throwable failure = null;
        for (Future<Boolean> each : playing) {
            try {
                each.get(failure == null ? patience.toMillis() : 1, TimeUnit.MILLISECONDS);
            } catch (ExecutionException e) {
                failure = e.getCause();
            } catch (TimeoutException e) {
                failure = failure == null ? e : failure;
            }
        }
        if (failure != null) {
            throw new IllegalStateException("a thread failed: " + failure, failure);
        }
    }

    @Override
    public void close() {
        board.stop();
        gate.forceTermination();
        threads.shutdownNow();
    }

    /** Measures the time from the request to the lock. */
    private static final class Timed implements Runnable {
        private static final long NOTHING = Long.MIN_VALUE;

        private final Section section;
        private final Histogram waits = Waits.none();
        private long asked = NOTHING;

        Timed(Section section) {
            this.section = section;
        }

        void asks() {
            asked = Stopwatch.machineNanos();
        }

        @Override
        public void run() {
            if (asked != NOTHING) {
                waits.recordValue(Math.max(0, Stopwatch.machineNanos() - asked));
                asked = NOTHING;
            }
            section.run();
        }
    }
}
