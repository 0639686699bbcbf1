package dev.baton.internal.client;

import java.util.Map;
import java.util.Queue;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedQueue;

/**
 * The warnings that open clients of this process have logged: another client of the same store does not repeat them.
 * Thread-safe.
 */
final class ToldWarnings {
    private static final Map<String, Integer> TOLD = new ConcurrentHashMap<>();

    private ToldWarnings() {}

    static OfClient ofClient() {
        return new OfClient();
    }

    /** The warnings of one client. A warning may be logged again when no client is left that has met it. */
    static final class OfClient implements AutoCloseable {
        private final Queue<String> met = new ConcurrentLinkedQueue<>();

        private OfClient() {}

        boolean isNew(String warning) {
            met.add(warning);
            return TOLD.merge(warning, 1, Integer::sum) == 1;
        }

        @Override
        public void close() {
            for (String warning = met.poll(); warning != null; warning = met.poll()) {
                TOLD.computeIfPresent(warning, (text, clients) -> clients > 1 ? clients - 1 : null);
            }
        }
    }
}
