package dev.baton.tck;

import dev.baton.spi.Acquire;
import dev.baton.spi.Heartbeat;
import dev.baton.spi.Resource;
import dev.baton.spi.StoreFailure;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;

/**
 * Counts in a plain field under a lock of the store, so that the sum is exact only if the lock excludes other threads.
 * Only the store's answers order the field's accesses between two threads.
 */
final class StoreCounter {
    private static final long PATIENCE_NANOS = TimeUnit.SECONDS.toNanos(50);

    private static final long PAUSE_NANOS = TimeUnit.MICROSECONDS.toNanos(50);

    private final Resource lock;
    private final int times;
    private int count;
    private int inside;

    StoreCounter(Resource lock, int times) {
        this.lock = lock;
        this.times = times;
    }

    int count() {
        return count;
    }

    /** Counts several times, trying and queueing in turn. */
    int run(StoreClient client) throws StoreFailure {
        long last = 0;
        for (int i = 0; i < times; i++) {
            StoreClient.Held held = i % 3 == 0 ? insist(client) : queue(client);
            if (held.token() <= last) {
                throw new AssertionError("token " + held.token() + " after " + last);
            }
            last = held.token();
            step();
            if (!client.release(held)) {
                throw new AssertionError("lost " + held);
            }
        }
        return times;
    }

    private void step() {
        int before = count;
        if (++inside != 1) {
            throw new AssertionError("somebody else is inside");
        }
        LockSupport.parkNanos(PAUSE_NANOS);
        count = before + 1;
        inside--;
    }

    private StoreClient.Held insist(StoreClient client) throws StoreFailure {
        long start = System.nanoTime();
        while (System.nanoTime() - start < PATIENCE_NANOS) {
            long attempt = client.nextNumber();
            Acquire.Reply reply = client.acquire(lock, 1, attempt, StoreClient.LEASE, 0, Acquire.Mode.TRY);
            if (reply instanceof Acquire.Granted) {
                return StoreClient.held(lock, attempt, 1, reply);
            }
            if (reply instanceof Acquire.Held held && held.queued() > 0) {
                return queue(client);
            }
            LockSupport.parkNanos(PAUSE_NANOS);
        }
        throw new AssertionError("tried for too long");
    }

    private StoreClient.Held queue(StoreClient client) throws StoreFailure {
        long start = System.nanoTime();
        while (System.nanoTime() - start < PATIENCE_NANOS) {
            long attempt = client.nextNumber();
            Acquire.Reply reply = client.acquire(lock, 1, attempt, StoreClient.LEASE, 0, Acquire.Mode.QUEUE);
            if (reply instanceof Acquire.Granted) {
                return StoreClient.held(lock, attempt, 1, reply);
            }
            // Stale is right if another thread of the client was faster with a later number.
            if (reply instanceof Acquire.Queued) {
                return waitFor(client, attempt, start);
            }
        }
        throw new AssertionError("tried for too long");
    }

    private StoreClient.Held waitFor(StoreClient client, long attempt, long start) throws StoreFailure {
        while (System.nanoTime() - start < PATIENCE_NANOS) {
            Heartbeat.TicketReply reply = client.poll(lock, attempt);
            if (reply instanceof Heartbeat.TicketGranted granted) {
                return new StoreClient.Held(lock, attempt, 1, granted.token(), granted.deadlineMicros());
            }
            if (reply instanceof Heartbeat.Gone) {
                throw new AssertionError("attempt " + attempt + " left the queue");
            }
            LockSupport.parkNanos(PAUSE_NANOS);
        }
        throw new AssertionError("queued for too long");
    }
}
