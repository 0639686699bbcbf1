package dev.baton.internal.store;

import dev.baton.spi.Protocol;
import java.util.concurrent.atomic.AtomicLongArray;

/**
 * The finished attempts of one client, by bucket: the greatest that was granted, released or cancelled, which includes all
 * before it. The client keeps them, not the server, so they do not stop an acquire that was lost in transit. Thread-safe.
 */
public final class FinishedAttempts {
    private final AtomicLongArray greatest = new AtomicLongArray(Protocol.BUCKETS);

    /** Creates it for a client that has finished none. */
    public FinishedAttempts() {}

    /**
     * Returns whether an attempt is finished.
     *
     * @param name the name that it is for
     * @param attempt its number
     * @return true also if a later attempt in the same bucket is
     */
    public boolean contains(String name, long attempt) {
        return attempt <= greatest.get(Protocol.bucketOf(name));
    }

    /**
     * Records that an attempt is finished.
     *
     * @param name the name that it is for
     * @param attempt its number
     */
    public void add(String name, long attempt) {
        greatest.accumulateAndGet(Protocol.bucketOf(name), attempt, Math::max);
    }
}
