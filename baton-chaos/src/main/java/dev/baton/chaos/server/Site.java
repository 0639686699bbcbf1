package dev.baton.chaos.server;

import dev.baton.chaos.fault.Fault;
import java.util.List;

/** A store under test, which was started for this run or is somebody else's. */
public interface Site extends AutoCloseable {
    /** Returns the address. */
    String uri();

    /** Returns whether clients reach it over a network. */
    default boolean hasNetwork() {
        return port() > 0;
    }

    /** Returns the port on which it listens; 0 if clients do not reach it over a network. */
    int port();

    /** Returns the address of the same store behind another host and port. */
    default String uri(String host, int port) {
        return uri().replace("127.0.0.1:" + port(), host + ":" + port);
    }

    /** Returns the faults that only this store can have. */
    List<Fault> faults();

    /** Returns what has to be said of the server in a report, such as its version. */
    default String words() {
        return Addresses.withoutPassword(uri());
    }

    @Override
    void close();
}
