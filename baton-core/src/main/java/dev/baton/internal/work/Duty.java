package dev.baton.internal.work;

import java.time.Duration;

/** Something that a client does on a thread of its own until it is closed. Thread-safe. */
public interface Duty {
    /**
     * Begins.
     *
     * @param onEnd runs when it has ended
     */
    void start(Runnable onEnd);

    /** Ends it: interrupts what runs, and does not wait. */
    void close();

    /** Waits until it has ended, unless it is the calling thread that runs it. */
    void join(Duration time) throws InterruptedException;
}
