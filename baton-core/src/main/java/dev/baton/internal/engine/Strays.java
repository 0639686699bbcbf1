package dev.baton.internal.engine;

import dev.baton.spi.Release;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Consumer;

/**
 * Releases of holds that this client no longer believes in. The store may still have such a hold, and other clients
 * would wait for it. A closing client sends again those that the store has not answered. Thread-safe.
 */
final class Strays {
    private final Set<Release> unanswered = ConcurrentHashMap.newKeySet();

    void send(Command.Free command, Outbox out) {
        unanswered.add(command.release);
        out.send(command);
    }

    /** Whether the release of an attempt's hold is on its way. */
    boolean areEnding(long attempt) {
        return unanswered.stream().anyMatch(release -> release.attempt() == attempt);
    }

    void returned(Release release) {
        if (!unanswered.isEmpty()) {
            unanswered.remove(release);
        }
    }

    void forEach(Consumer<Release> action) {
        unanswered.forEach(action);
    }
}
