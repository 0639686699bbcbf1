package dev.baton.chaos.server;

import dev.baton.chaos.fault.Fault;
import java.net.URI;
import java.util.List;

/**
 * A store of which everything is known beforehand.
 *
 * @param uri its address
 * @param port on which it listens; 0 if no network lies between it and its clients
 * @param faults that only it can have
 * @param closing ends it
 */
record SimpleSite(String uri, int port, List<Fault> faults, Runnable closing) implements Site {
    static int portOf(String uri) {
        return URI.create(uri).getPort();
    }

    @Override
    public void close() {
        closing.run();
    }
}
