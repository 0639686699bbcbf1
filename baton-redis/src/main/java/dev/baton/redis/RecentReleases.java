package dev.baton.redis;

import dev.baton.spi.Release;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReferenceArray;

/**
 * The last releases of a client. A server that restarted, or a replica that took over, may have forgotten them, and
 * would hold the locks until their leases end: it is told again. Bounded; thread-safe.
 */
final class RecentReleases {
    static final int KEPT = 256;

    private final AtomicReferenceArray<Release> releases = new AtomicReferenceArray<>(KEPT);
    private final AtomicInteger next = new AtomicInteger();

    void add(Release release) {
        releases.set(next.getAndIncrement() & KEPT - 1, release);
    }

    List<Release> all() {
        List<Release> all = new ArrayList<>(KEPT);
        for (int i = 0; i < KEPT; i++) {
            Release release = releases.get(i);
            if (release != null) {
                all.add(release);
            }
        }
        return all;
    }
}
