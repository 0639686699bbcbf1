package dev.baton.redis;

import dev.baton.spi.Cancel;
import dev.baton.spi.Protocol;
import dev.baton.spi.Release;
import java.util.ArrayList;
import java.util.List;

/**
 * The releases and cancels of a client that a server may have forgotten, and how to repeat them: they free by attempt and
 * token, or nothing, so that repeating them does no harm. Thread-safe.
 */
final class RecentEnds {
    private final Recent<Release> releases = new Recent<>();
    private final Recent<Cancel> cancels = new Recent<>();
    private final Commands commands;

    RecentEnds(Commands commands) {
        this.commands = commands;
    }

    void add(Release release) {
        releases.add(release);
    }

    void add(Cancel cancel) {
        cancels.add(cancel);
    }

    /** Returns the commands to send to a server that may have forgotten: in as few calls as the bounds allow. */
    List<Request> again() {
        List<Request> again = new ArrayList<>();
        List<Release> all = releases.all();
        for (int from = 0; from < all.size(); from += AcquireReleaseBatch.MOST) {
            int to = Math.min(all.size(), from + AcquireReleaseBatch.MOST);
            again.add(commands.releases(all.subList(from, to)));
        }
        cancels.all().forEach(each -> again.add(commands.cancel(each)));
        return again;
    }

    /**
     * Returns them for a connection that was open when the server forgot. The server also looks at all buckets, so that
     * the grace periods of all begin now: without that, that of a name would begin when it is used next.
     */
    List<Request> againAndLook() {
        List<Request> again = again();
        for (int bucket = 0; bucket < Protocol.BUCKETS; bucket++) {
            again.add(commands.lookAfter(bucket));
        }
        return again;
    }
}
