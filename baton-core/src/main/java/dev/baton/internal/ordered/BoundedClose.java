package dev.baton.internal.ordered;

import dev.baton.spi.Deadline;
import dev.baton.spi.StoreFailure;
import java.util.concurrent.CompletableFuture;

/**
 * Closes a driver's objects in bounded time. Without a network, a driver waits many seconds for answers that cannot
 * come; with one, it takes a few milliseconds.
 */
public final class BoundedClose {
    /** 0.8 s: much longer than an answer takes, and less than the second that closing a store may take. */
    private static final long MOST_NANOS = 800_000_000;

    private BoundedClose() {}

    /**
     * Closes on a separate thread, and waits for less than a second. Closing goes on after that.
     *
     * @param clientId names the thread
     * @param closing closes; its exceptions are ignored
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
