package dev.baton.internal.work;

import dev.baton.BatonEvent;
import dev.baton.DistributedLock;
import dev.baton.LockOptions;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** What jobs and elections need of their client beside locks. Thread-safe. */
public interface Host {
    /**
     * A note, and when it was read.
     *
     * @param note the note
     * @param now by the store's clock, where it has one; else by the client's
     */
    record Dated(Optional<byte[]> note, Instant now) {}

    /** Returns a lock. */
    DistributedLock lock(String name, LockOptions options);

    /** Reads the note of a name; fails if it is unknown. */
    Dated look(String name);

    /** Returns this process, as text for users. */
    String process();

    /** Returns a number that differs from client to client. */
    int number();

    /** Returns the wall clock of this machine. */
    Instant wallTime();

    /** Returns monotonic nanoseconds. */
    long nanos();

    /** Waits on this thread; returns early now and then, and when the client's clock is moved by hand. */
    void rest(Duration time) throws InterruptedException;

    /**
     * Runs an action later, on a thread that it must not block.
     *
     * @return prevents it, if it has not begun
     */
    Runnable later(Duration delay, Runnable action);

    /** Starts a thread of this client. */
    Thread start(String name, Runnable work);

    /** Returns the client's own lease time. */
    Duration leaseTime();

    /** Tells the client's listener. */
    void report(BatonEvent event);

    /** Writes to the client's log. */
    void log(System.Logger.Level level, String message, @Nullable Throwable cause);

    /** Returns whether the client is closed. */
    boolean isClosed();
}
