package dev.baton.internal.client;

import dev.baton.BatonEvent;
import dev.baton.DistributedLock;
import dev.baton.LockOptions;
import dev.baton.internal.engine.Clock;
import dev.baton.internal.engine.Engine;
import dev.baton.internal.engine.Outbox;
import dev.baton.internal.work.Host;
import java.time.Duration;
import java.time.Instant;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.function.BiFunction;
import org.jspecify.annotations.Nullable;

/** What a client offers its jobs and elections. Thread-safe. */
final class ClientHost implements Host {
    private final BiFunction<String, LockOptions, DistributedLock> locks;
    private final Notes notes;
    private final Engine engine;
    private final ClientThreads threads;
    private final Clock clock;
    private final String process;
    private final int number;
    private final Duration leaseTime;
    private final CountDownLatch end;

    /**
     * Creates it.
     *
     * @param locks makes locks
     * @param process this process, as text for users
     * @param number differs from client to client
     * @param leaseTime the client's lease time
     * @param end falls when the client is closed
     */
    ClientHost(
            BiFunction<String, LockOptions, DistributedLock> locks,
            Notes notes,
            Engine engine,
            ClientThreads threads,
            Clock clock,
            String process,
            int number,
            Duration leaseTime,
            CountDownLatch end) {
        this.locks = locks;
        this.notes = notes;
        this.engine = engine;
        this.threads = threads;
        this.clock = clock;
        this.process = process;
        this.number = number;
        this.leaseTime = leaseTime;
        this.end = end;
    }

    @Override
    public DistributedLock lock(String name, LockOptions options) {
        notes.requireNotes();
        return locks.apply(name, options);
    }

    @Override
    public Dated look(String name) {
        return notes.look(name);
    }

    @Override
    public String process() {
        return process;
    }

    @Override
    public int number() {
        return number;
    }

    @Override
    public Instant wallTime() {
        return Instant.ofEpochMilli(clock.wallMillis());
    }

    @Override
    public long nanos() {
        return clock.nanos();
    }

    @Override
    public void rest(Duration time) throws InterruptedException {
        boolean unused = end.await(threads.realNanos(Checks.nanos(time)), TimeUnit.NANOSECONDS);
    }

    @Override
    public Runnable later(Duration delay, Runnable action) {
        return threads.later(Checks.nanos(delay), action);
    }

    @Override
    public Thread start(String name, Runnable work) {
        return threads.startNamed(name, work);
    }

    @Override
    public Duration leaseTime() {
        return leaseTime;
    }

    @Override
    public void report(BatonEvent event) {
        Outbox out = new Outbox();
        engine.report(event, out);
        out.flush(threads);
    }

    @Override
    public void log(System.Logger.Level level, String message, @Nullable Throwable cause) {
        threads.log(level, message, cause);
    }

    @Override
    public boolean isClosed() {
        return end.getCount() == 0;
    }
}
