package dev.baton.chaos.server;

import dev.baton.chaos.fault.Fault;
import dev.baton.servers.Members;
import java.util.List;

/**
 * A store on several servers that elect a leader. Clients know all of them, so no single network lies between.
 *
 * @param servers starts them
 * @param options what clients append to their address
 * @param faults what can happen to them
 */
record MembersSite(Started<? extends Members> servers, String options, List<Fault> faults) implements Site {
    @Override
    public String uri() {
        return servers.get().uri() + options;
    }

    @Override
    public boolean hasNetwork() {
        return false;
    }

    @Override
    public int port() {
        throw new IllegalStateException("no single network lies before " + this);
    }

    @Override
    public void close() {
        servers.close();
    }
}
