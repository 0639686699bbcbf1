package dev.baton.chaos.server;

import dev.baton.chaos.fault.Fault;
import dev.baton.servers.LocalServer;
import java.util.ArrayList;
import java.util.List;

/**
 * A store on one server.
 *
 * @param <S> the server
 */
class LocalSite<S extends LocalServer> implements Site {
    private final Started<S> server;
    private final String options;
    private final List<Fault> faults;

    /**
     * Describes it.
     *
     * @param server starts it
     * @param options what clients append to its address
     * @param faults what can happen to it
     */
    LocalSite(Started<S> server, String options, List<Fault> faults) {
        this.server = server;
        this.options = options;
        this.faults = faults;
    }

    /** Ends the server, and takes another in its place. */
    final void use(S other) {
        server.use(other);
    }

    final S server() {
        return server.get();
    }

    @Override
    public final String uri() {
        return server.get().uri() + options;
    }

    @Override
    public final boolean hasNetwork() {
        return true;
    }

    @Override
    public final int port() {
        return server.get().port();
    }

    @Override
    public List<Fault> faults() {
        return new ArrayList<>(faults);
    }

    @Override
    public final void close() {
        server.close();
    }
}
