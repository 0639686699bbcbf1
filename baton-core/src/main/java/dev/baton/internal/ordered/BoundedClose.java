package dev.baton.internal.ordered;

import dev.baton.spi.Deadline;
import dev.baton.spi.StoreFailure;
import java.util.concurrent.CompletableFuture;

/**
 * Closes what belongs to a driver. Without a network a driver waits for answers that cannot come, for many seconds; with
 * one, it takes a few milliseconds.
 */
public final class BoundedClose {
    /** 0.8 s: much longer than an answer takes, and less than the second that closing a store may take. */
    private static final long MOST_NANOS = 800_000_000;

    private BoundedClose() {}

    /**
     * Closes on a thread of its own, and waits for less than a second. Closing goes on after that.
     *
     * @param clientId whose thread it is
     * @param closing closes; what it throws is of no use to anybody
     */
    public static void run(String clientId, Runnable closing) {
        CompletableFuture<?> closed = CompletableFuture.runAsync(closing, task -> {
            Thread thread = new Thread(task, "baton-" + clientId.substring(0, 6) + "-closing");
            thread.setDaemon(true);
            thread.start();
        });
        try {
            Answers.await(closed, Deadline.in(MOST_NANOS));
        } catch (StoreFailure unreachable) {
            // The session ends by itself.
        }
    }
}
