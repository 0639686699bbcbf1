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
 * would hold the locks until their leases end: it is told again. Bounded in number and in age; thread-safe.
 */
final class RecentReleases {
    /** So many go in one piece, and so cost one answer's time however far the server is. */
    static final int KEPT = 1_024;

    /** 30 s, as the default lease: what was released before has ended by itself. */
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
     * With a clock of its own.
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

    /** Those that matter still, the oldest first. */
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
