package dev.baton.internal.ordered;

import java.util.List;

/** Tells from addresses alone whether servers are local. */
public final class ServerHosts {
    private ServerHosts() {}

    /**
     * Returns whether all servers are on this machine, so that no data passes a network.
     *
     * @param servers the host and port of each, as in {@code localhost:2181} or {@code [::1]:2181}
     * @return false if one is elsewhere, or may be
     */
    public static boolean areLocal(List<String> servers) {
        return !servers.isEmpty() && servers.stream().allMatch(ServerHosts::isLocal);
    }

    private static boolean isLocal(String server) {
        int colon = server.lastIndexOf(':');
        String host = colon > server.lastIndexOf(']') ? server.substring(0, colon) : server;
        return host.equalsIgnoreCase("localhost") || host.equals("[::1]") || host.matches("127(\\.\\d{1,3}){3}");
    }
}
