package dev.baton.bench;

import dev.baton.bench.Contestant.Worker;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.Phaser;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.Supplier;

/** One contestant's turn: all its threads start together, and the figures are taken while all of them are still there. */
final class Slice implements AutoCloseable {
    /** How long the threads may take to begin or to end: more, and somebody waits for a lock that does not come. */
    private static final Duration PATIENCE = Duration.ofSeconds(60);

    private final List<List<Worker>> clients;
    private final Section section;
    /** Everybody meets here four times: before and after the first figures, and before and after the last. */
    private final Phaser gate;

    private final ExecutorService threads;
    private volatile boolean running = true;

    Slice(List<List<Worker>> clients, Section section) {
        this.clients = clients;
        this.section = section;
        int workers = clients.stream().mapToInt(List::size).sum();
        this.gate = new Phaser(workers + 1);
        this.threads = Executors.newFixedThreadPool(workers, Slice::daemon);
    }

    private static Thread daemon(Runnable task) {
        Thread thread = new Thread(task, "bench-worker");
        thread.setDaemon(true); // one that hangs must not keep the program from ending
        return thread;
    }

    Sample run(Duration time, Supplier<Usage> server) throws InterruptedException {
        List<List<Future<Long>>> counts = clients.stream()
                .map(workers -> workers.stream()
                        .map(worker -> threads.submit(() -> play(worker)))
                        .toList())
                .toList();
        meet();
        Usage usage = server.get();
        Allocations allocations = Allocations.now();
        Stopwatch watch = Stopwatch.started();
        meet();
        letRun(time);
        meet();
        long nanos = watch.nanos();
        long allocated = Allocations.now().since(allocations);
        Usage used = server.get().since(usage);
        meet();
        List<Long> operations = counts.stream().map(Slice::sum).toList();
        Sample sample = new Sample(nanos, operations, used, allocated, section.handOverNanos());
        section.check((long) sample.total());
        return sample;
    }

    private long play(Worker worker) throws Exception {
        try {
            worker.enter();
            gate.arriveAndAwaitAdvance();
            gate.arriveAndAwaitAdvance();
            long operations = 0;
            while (running) {
                operations += worker.work(section);
                section.pause(() -> running);
            }
            gate.arriveAndAwaitAdvance();
            gate.arriveAndAwaitAdvance();
            worker.leave();
            return operations;
        } catch (Exception | Error e) {
            running = false;
            gate.forceTermination();
            throw e;
        }
    }

    /** Ends early only if a worker failed. */
    private void letRun(Duration time) throws InterruptedException {
        try {
            gate.awaitAdvanceInterruptibly(gate.getPhase(), time.toNanos(), TimeUnit.NANOSECONDS);
        } catch (TimeoutException timeIsUp) {
            running = false;
        }
    }

    private void meet() throws InterruptedException {
        try {
            gate.awaitAdvanceInterruptibly(gate.arrive(), PATIENCE.toSeconds(), TimeUnit.SECONDS);
        } catch (TimeoutException e) {
            throw new IllegalStateException("a thread did not come back within " + PATIENCE, e);
        }
    }

    private static long sum(List<Future<Long>> counts) {
        List<Long> operations = new ArrayList<>();
        for (Future<Long> count : counts) {
            try {
                operations.add(count.get());
            } catch (ExecutionException e) {
                throw new IllegalStateException("a thread failed: " + e.getCause(), e.getCause());
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
                throw new IllegalStateException("interrupted", e);
            }
        }
        return operations.stream().mapToLong(Long::longValue).sum();
    }

    @Override
    public void close() {
        running = false;
        gate.forceTermination();
        threads.shutdownNow();
    }
}
