package dev.baton.servers.net;

import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * Free loopback ports. They are below the ranges from which systems take the ports of outgoing connections, so a port
 * that is free now is very likely free again after a restart. Thread-safe.
 */
public final class FreePort {
    private static final int FIRST = 10_000;
    private static final int COUNT = 22_000;
    /** JVMs that run at the same time start at distant ports. */
    private static final int STRIDE = 97;

    private static final AtomicInteger TRIED =
            new AtomicInteger((int) (ProcessHandle.current().pid() * STRIDE % COUNT));

    private FreePort() {}

    /**
     * Returns a port that is free now. The next call returns another one. A caller that fails to bind it should try
     * again.
     */
    public static int next() {
        return next(0);
    }

    /**
     * Returns a port that is free now, as the one is that is this far above it: for a server that listens on both.
     *
     * @param distance from one to the other
     */
    public static int next(int distance) {
        int count = COUNT - distance;
        for (int attempt = 0; attempt < count; attempt++) {
            int port = FIRST + Math.floorMod(TRIED.getAndIncrement(), count);
            if (isFree(port) && (distance == 0 || isFree(port + distance))) {
                return port;
            }
        }
        throw new IllegalStateException("no free port from " + FIRST + " to " + (FIRST + count - 1));
    }

    private static boolean isFree(int port) {
        try (ServerSocket socket = new ServerSocket()) {
            socket.setReuseAddress(true);
            socket.bind(new InetSocketAddress(InetAddress.getLoopbackAddress(), port));
            return true;
        } catch (IOException taken) {
            return false;
        }
    }
}
