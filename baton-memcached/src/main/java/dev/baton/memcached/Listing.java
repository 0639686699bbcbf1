package dev.baton.memcached;

import dev.baton.spi.Deadline;
import dev.baton.spi.Protocol;
import dev.baton.spi.ResourceView;
import dev.baton.spi.Stamp;
import dev.baton.spi.StoreFailure;
import java.io.IOException;
import java.net.URLDecoder;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;

/**
 * Finds the names of a namespace by a walk through all keys of the server, including those of other applications. The
 * server does it beside its work, but it takes long if there are many.
 */
final class Listing {
    private static final String KEY = "key=";
    private static final long BUSY_PAUSE_NANOS = TimeUnit.MILLISECONDS.toNanos(10);

    private final Keys keys;
    private final Items items;

    Listing(Keys keys, Items items) {
        this.keys = keys;
        this.items = items;
    }

    List<ResourceView> list(Session session, String prefix, String after, int limit, Stamp stamp, Deadline deadline)
            throws IOException, StoreFailure {
        List<String> found = walk(session, deadline);
        List<Reply> replies =
                session.wire().ask(found.stream().map(Commands::get).toList(), deadline);
        List<ResourceView> views = new ArrayList<>();
        for (int i = 0; i < replies.size(); i++) {
            view(session, found.get(i), replies.get(i), stamp, views);
        }
        return views.stream()
                .filter(view -> view.resource().name().startsWith(prefix))
                .filter(view -> Protocol.NAME_ORDER.compare(view.resource().name(), after) > 0)
                .sorted(Comparator.comparing(view -> view.resource().name(), Protocol.NAME_ORDER))
                .limit(limit)
                .toList();
    }

    /** Returns the keys that may be Baton's. One walk can run at a time, and the server runs one now and then. */
    private List<String> walk(Session session, Deadline deadline) throws IOException {
        while (true) {
            List<String> found = new ArrayList<>();
            try {
                session.wire().askLines("lru_crawler metadump hash", deadline, line -> {
                    String key = keyOf(line);
                    if (keys.mayBeOurs(key)) {
                        found.add(key);
                    }
                });
                return found;
            } catch (ErrorReply refused) {
                if (!refused.isBusy() || deadline.leftNanos() < BUSY_PAUSE_NANOS) {
                    throw refused;
                }
                LockSupport.parkNanos(BUSY_PAUSE_NANOS);
            }
        }
    }

    private static String keyOf(String line) {
        String word = line.substring(0, Math.max(0, line.indexOf(' ')));
        return word.startsWith(KEY) ? URLDecoder.decode(word.substring(KEY.length()), StandardCharsets.US_ASCII) : "";
    }

    private void view(Session session, String key, Reply reply, Stamp stamp, List<ResourceView> views)
            throws IOException {
        try {
            Item item = items.found(session, key, null, reply, stamp).item();
            // A hashed key does not tell its namespace.
            if (item != null && keys.of(item.name()).equals(key)) {
                items.state(item).view(stamp).ifPresent(views::add);
            }
        } catch (StoreFailure notOurs) {
            // Another application's item with a similar key.
        }
    }
}
