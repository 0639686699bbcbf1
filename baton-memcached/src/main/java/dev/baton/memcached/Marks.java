package dev.baton.memcached;

import dev.baton.spi.Protocol;
import java.util.concurrent.atomic.AtomicLongArray;

/**
 * The finished attempts of this client, by bucket: the greatest that was granted, released or cancelled, which includes
 * all before it. The client keeps them, not the server, so they do not stop an acquire that was lost in transit.
 * Thread-safe.
 */
final class Marks {
    private final AtomicLongArray finished = new AtomicLongArray(Protocol.BUCKETS);

    boolean isFinished(String name, long attempt) {
        return attempt <= finished.get(Protocol.bucketOf(name));
    }

    void finish(String name, long attempt) {
        finished.accumulateAndGet(Protocol.bucketOf(name), attempt, Math::max);
    }
}
