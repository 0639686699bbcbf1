package dev.baton.tck;

import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;

/** Answers of a second process, one a line, to the test that started it. Thread-safe. */
final class ChildLines {
    private ChildLines() {}

    /** Answers. A line is never mixed with another: the stream writes each as a whole. */
    static void say(String line) {
        System.out.println(line);
        System.out.flush();
    }

    /**
     * Reports whether the process believes that it holds, at each first moment after it was paused for longer than a
     * lease, and until it does not believe.
     */
    static void reportWaking(BooleanSupplier believes, long leaseNanos) {
        // Measured here and not by the watching thread: the process may be paused before that thread has started.
        long granted = System.nanoTime();
        Thread watch = new Thread(() -> reportWaking(believes, leaseNanos, granted), "waking");
        watch.setDaemon(true);
        watch.start();
    }

    private static void reportWaking(BooleanSupplier believes, long leaseNanos, long sinceNanos) {
        long before = sinceNanos;
        while (true) {
            long now = System.nanoTime();
            if (now - before > leaseNanos) {
                boolean held = believes.getAsBoolean();
                say("WOKE " + held);
                if (!held) {
                    return;
                }
            }
            before = now;
            LockSupport.parkNanos(100_000);
        }
    }
}
