package dev.baton.internal.ordered;

import java.util.List;

/** Where servers are, by their addresses alone. */
public final class ServerHosts {
    private ServerHosts() {}

    /**
     * Whether all servers are on this machine, so that nothing passes a network.
     *
     * @param servers each as host and port, as in {@code localhost:2181} or {@code [::1]:2181}
     * @return false if one is not, or may not be
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
