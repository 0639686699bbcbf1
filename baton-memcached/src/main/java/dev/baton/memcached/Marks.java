package dev.baton.memcached;

import dev.baton.spi.Protocol;
import java.util.concurrent.atomic.AtomicLongArray;

/**
 * Which of this client's attempts are over, by bucket: the greatest that was granted, released or cancelled, and with it all
 * before. They are here and not at the server, so an acquire that got lost on its way is not stopped by them. Thread-safe.
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
