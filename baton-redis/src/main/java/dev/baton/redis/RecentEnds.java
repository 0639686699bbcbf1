package dev.baton.redis;

import dev.baton.spi.Cancel;
import dev.baton.spi.Release;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;

/**
 * The releases and cancels of a client that a server may have forgotten, and how to repeat them: they free by attempt and
 * token, or nothing, so that repeating them does no harm. Thread-safe.
 */
final class RecentEnds {
    private final Recent<Release> releases;
    private final Recent<Cancel> cancels;
    private final Commands commands;

    RecentEnds(Commands commands) {
        this.commands = commands;
        this.releases = new Recent<>(commands.nanos());
        this.cancels = new Recent<>(commands.nanos());
    }

    void add(Release release) {
        releases.add(release);
    }

    void add(Cancel cancel) {
        cancels.add(cancel);
    }

    /** A name that is kept is kept for the rest of the time, and not again for the whole of it. */
    static Release after(Release release, long ageNanos) {
        long left = Math.max(0, release.keepMicros() - TimeUnit.NANOSECONDS.toMicros(ageNanos));
        return left == release.keepMicros()
                ? release
                : new Release(
                        release.resource(),
                        release.attempt(),
                        release.token(),
                        release.number(),
                        release.failed(),
                        left);
    }

    /** Returns the commands to send to a server that may have forgotten: in as few calls as the bounds allow. */
    List<Request> again() {
        List<Request> again = new ArrayList<>(commands.releases(releases.all(RecentEnds::after)));
        cancels.all((cancel, age) -> cancel).forEach(each -> again.add(commands.cancel(each)));
        return again;
    }

    /**
     * Returns them for a connection that was open when the server forgot. The server also looks at all its buckets, so
     * that the grace periods of all begin now: without that, that of a name would begin when it is used next.
     */
    List<Request> againAndLook(List<Integer> buckets) {
        List<Request> again = again();
        buckets.forEach(bucket -> again.add(commands.lookAfter(bucket)));
        return again;
    }
}
