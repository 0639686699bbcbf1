package dev.baton.redis;

import dev.baton.spi.Deadline;
import dev.baton.spi.Release;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLongArray;
import java.util.concurrent.atomic.AtomicReferenceArray;
import java.util.function.LongSupplier;

/**
 * The last releases of a client. A server that restarted, or a replica that took over, may have forgotten them, and
 * would hold the locks until their leases end; the client therefore sends them again. Bounded in number and in age;
 * thread-safe.
 */
final class RecentReleases {
    /** This many fit in one piece, and so cost the time of one answer, however far away the server is. */
    static final int KEPT = 1_024;

    /** 30 s, as the default lease: an earlier hold has ended by itself. */
    static final long KEPT_NANOS = TimeUnit.SECONDS.toNanos(30);

    private final AtomicReferenceArray<Release> releases = new AtomicReferenceArray<>(KEPT);
    private final AtomicLongArray times = new AtomicLongArray(KEPT);
    private final AtomicInteger next = new AtomicInteger();
    private final LongSupplier nanos;

    RecentReleases() {
        Deadline far = Deadline.in(Long.MAX_VALUE);
        this.nanos = () -> -far.leftNanos();
    }

    /**
     * Creates it with a clock.
     *
     * @param nanos grows by one each nanosecond
     */
    RecentReleases(LongSupplier nanos) {
        this.nanos = nanos;
    }

    void add(Release release) {
        int at = next.getAndIncrement() & KEPT - 1;
        times.set(at, nanos.getAsLong());
        releases.set(at, release);
    }

    /** Returns the releases that still matter, the oldest first. */
    List<Release> all() {
        List<Release> all = new ArrayList<>();
        long now = nanos.getAsLong();
        int from = next.get();
        for (int i = from; i < from + KEPT; i++) {
            Release release = releases.get(i & KEPT - 1);
            if (release != null && now - times.get(i & KEPT - 1) <= KEPT_NANOS) {
                all.add(release);
            }
        }
        return all;
    }
}
