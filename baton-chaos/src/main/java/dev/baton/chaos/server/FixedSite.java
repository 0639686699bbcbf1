package dev.baton.chaos.server;

import dev.baton.chaos.fault.Fault;
import java.util.List;

/**
 * A store for which nothing is started.
 *
 * @param uri its address
 */
record FixedSite(String uri) implements Site {
    @Override
    public boolean hasNetwork() {
        return false;
    }

    @Override
    public int port() {
        throw new IllegalStateException("no network lies before " + this);
    }

    @Override
    public boolean knowsMoreThanLocks() {
        return !uri.startsWith("memcached");
    }

    @Override
    public boolean isByClientsClock() {
        return uri.startsWith("jdbc:sqlite:") || uri.matches("jdbc:h2:(?!tcp:|ssl:).*");
    }

    @Override
    public List<Fault> faults() {
        return List.of();
    }

    @Override
    public void close() {
        // Nothing was started.
    }
}
