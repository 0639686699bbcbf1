package dev.baton.redis;

import dev.baton.spi.Deadline;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;

/**
 * Lets attempts to connect begin at most {@value #MOST} times within a bit more than half a second, so that the clients
 * of a server that comes back do not keep it busy with connections. Two are enough for a client that finds its server.
 * The bit differs between clients, so their attempts drift apart. Thread-safe.
 */
final class Pace {
    private static final int MOST = 2;

    private static final long WINDOW_NANOS = TimeUnit.MILLISECONDS.toNanos(500);
    private static final int SHARES = 1_024;

    private final long windowNanos;
    private final AtomicReference<List<Deadline>> recent = new AtomicReference<>(List.of());

    /**
     * Creates a pace.
     *
     * @param client whose pace it is
     */
    Pace(String client) {
        windowNanos = WINDOW_NANOS + WINDOW_NANOS / 4 * (client.hashCode() & SHARES - 1) / SHARES;
    }

    /** Waits until the next attempt may begin, or until it makes no sense any more. Unparking the thread has it look. */
    void await(BooleanSupplier senseless) {
        boolean interrupted = false;
        for (long left = take(); left > 0 && !senseless.getAsBoolean(); left = take()) {
            LockSupport.parkNanos(this, left);
            interrupted |= Thread.interrupted();
        }
        if (interrupted) {
            Thread.currentThread().interrupt();
        }
    }

    /** Counts an attempt, and returns 0; or returns how long it has to wait. */
    private long take() {
        while (true) {
            List<Deadline> before = recent.get();
            List<Deadline> now = new ArrayList<>(before);
            now.removeIf(end -> end.leftNanos() <= 0);
            if (now.size() >= MOST) {
                // It may have ended since.
                return Math.max(1, now.get(0).leftNanos());
            }
            now.add(Deadline.in(windowNanos));
            if (recent.compareAndSet(before, now)) {
                return 0;
            }
        }
    }
}
