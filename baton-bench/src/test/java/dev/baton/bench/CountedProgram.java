package dev.baton.bench;

import dev.baton.Baton;
import dev.baton.BatonOptions;
import dev.baton.DistributedLock;
import dev.baton.Lease;
import dev.baton.internal.client.BatonClient;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;

/**
 * Does each operation a few times between two marks. {@link CallCounter} runs it in a JVM of its own, and counts the calls
 * between the marks.
 */
final class CountedProgram {
    /** How often each operation is done. Other threads of the client only add calls, so the least counts. */
    static final int TIMES = 25;

    /** What is counted, in this order. */
    enum Operation {
        ACQUIRE,
        RELEASE,
        HAND_OVER,
        HEARTBEAT,
        LOSS
    }

    private CountedProgram() {}

    /** Begins to count; a mark. */
    static void begin() {}

    /** Stops counting; a mark. */
    static void end() {}

    /**
     * Does the operations.
     *
     * @param arguments the store's address
     */
    public static void main(String[] arguments) throws Exception {
        BatonOptions patient =
                BatonOptions.builder().connectTimeout(Duration.ofSeconds(60)).build();
        try (Baton baton = Baton.connect(arguments[0], patient);
                Baton other = Baton.connect(arguments[0], patient)) {
            DistributedLock lock = baton.lock("counted");
            // What is loaded or prepared once belongs to no operation.
            for (int i = 0; i < 50; i++) {
                lock.acquire().release();
                handOver(lock, other.lock("counted"), false);
            }
            for (Operation operation : Operation.values()) {
                for (int i = 0; i < TIMES; i++) {
                    count(operation, (BatonClient) baton, lock, other.lock("counted"));
                }
            }
        }
    }

    private static void count(Operation operation, BatonClient client, DistributedLock lock, DistributedLock others)
            throws Exception {
        switch (operation) {
            case ACQUIRE -> {
                begin();
                Lease lease = lock.acquire();
                end();
                lease.release();
            }
            case RELEASE -> {
                Lease lease = lock.acquire();
                begin();
                lease.release();
                end();
            }
            case HAND_OVER -> handOver(lock, others, true);
            case HEARTBEAT -> {
                Lease held = lock.acquire();
                begin();
                client.askAgain();
                // Whichever of the client's threads sends it. Under a debugger it takes up to 150 ms, and a count that
                // ends
                // before it would be the least of all. Its look at the clocks, every 250 ms, is within the tolerance.
                Thread.sleep(200);
                end();
                held.release();
            }
            case LOSS -> {
                Lease lease = lock.acquire();
                begin();
                client.expire(lock.name());
                Thread.sleep(50);
                end();
                lease.release();
            }
        }
    }

    /** A release while another client waits; it ends when that client has the lock. */
    private static void handOver(DistributedLock from, DistributedLock to, boolean counted) throws Exception {
        Lease lease = from.acquire();
        CompletableFuture<Lease> waiting = to.acquireAsync();
        Thread.sleep(counted ? 50 : 5);
        if (counted) {
            begin();
        }
        lease.release();
        Lease next = waiting.get(20, TimeUnit.SECONDS);
        if (counted) {
            end();
        }
        next.release();
    }
}
