package dev.baton.servers;

import dev.baton.spi.Deadline;
import java.io.IOException;
import java.time.Duration;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** Waits until the servers of a test have reached a state. */
final class Await {
    private static final long PAUSE_NANOS = 10_000_000;

    private Await() {}

    /** A state of servers. A server that does not answer has not reached it. */
    interface State {
        /** Returns whether it is reached. */
        boolean isReached() throws IOException;
    }

    /**
     * Waits for a state.
     *
     * @param what the state, for the message
     * @param limit how long it may take
     * @param seen what the servers say, for the message
     * @throws IllegalStateException if it takes longer, or the thread is interrupted
     */
    static void until(String what, Duration limit, State state, Supplier<String> seen) {
        Deadline deadline = Deadline.in(limit.toNanos());
        @Nullable Exception last = null;
        while (!Thread.currentThread().isInterrupted()) {
            try {
                if (state.isReached()) {
                    return;
                }
                last = null;
            } catch (IOException | RuntimeException notYet) {
                last = notYet;
            }
            if (deadline.leftNanos() <= 0) {
                throw new IllegalStateException(what + ": not within " + limit + ". Seen: " + seen.get(), last);
            }
            LockSupport.parkNanos(PAUSE_NANOS);
        }
        throw new IllegalStateException("interrupted while waiting until " + what, last);
    }
}
