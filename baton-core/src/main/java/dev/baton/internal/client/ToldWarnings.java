package dev.baton.internal.client;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

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

    /** Those of one client, which may be told again when no client is left that has met them. */
    static final class OfClient implements AutoCloseable {
        private final List<String> met = new ArrayList<>();

        private OfClient() {}

        synchronized boolean isNew(String warning) {
            met.add(warning);
            return TOLD.merge(warning, 1, Integer::sum) == 1;
        }

        @Override
        public synchronized void close() {
            for (String warning : met) {
                TOLD.computeIfPresent(warning, (text, clients) -> clients > 1 ? clients - 1 : null);
            }
            met.clear();
        }
    }
}
