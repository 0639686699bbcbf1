package dev.baton.chaos.server;

import dev.baton.chaos.fault.Fault;
import dev.baton.servers.Members;
import java.util.List;

/**
 * A store on several servers that elect a leader.
 *
 * @param servers starts them
 * @param options what clients append to their address
 * @param faults what can happen to them
 */
record MembersSite(Started<? extends Members> servers, String options, List<Fault> faults) implements ManyServersSite {
    @Override
    public String uri() {
        return servers.get().uri() + options;
    }

    @Override
    public void close() {
        servers.close();
    }
}
