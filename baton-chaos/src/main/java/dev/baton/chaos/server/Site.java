package dev.baton.chaos.server;

import dev.baton.chaos.client.ClientSettings;
import dev.baton.chaos.fault.Fault;
import dev.baton.servers.clock.SettableClock;
import dev.baton.servers.net.TcpProxy;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** A store under test, which is started for this run, or runs already. Starts when its address is asked for. */
public interface Site extends AutoCloseable {
    /** Returns the address. */
    String uri();

    /** Returns whether clients reach it over a network. Starts nothing. */
    boolean hasNetwork();

    /** Returns the port on which it listens, if clients reach it over a network. */
    int port();

    /** Returns a new network between a client and the server; null if clients do not reach it over a network. */
    default @Nullable TcpProxy network() {
        return hasNetwork() ? TcpProxy.to("127.0.0.1", port()) : null;
    }

    /** Returns the address of the same store behind another host and port. */
    default String uri(String host, int port) {
        return uri().replace("127.0.0.1:" + port(), host + ":" + port);
    }

    /** Returns the faults that only this store can have. Starts nothing. */
    List<Fault> faults();

    /** Returns whether the store knows more than locks: read-write locks, semaphores, and notes. Starts nothing. */
    default boolean knowsMoreThanLocks() {
        return true;
    }

    /** Returns whether leases end by the wall clock of the clients' machine: they open the store's files themselves. */
    default boolean isByClientsClock() {
        return false;
    }

    /** Returns whether the wall clock of the server can be set, if {@link #follow} finds what it needs. */
    default boolean setsClock() {
        return false;
    }

    /**
     * Lets the wall clock of the server be set from now on; it is started anew for this.
     *
     * @return why this cannot be; empty if it can
     */
    default Optional<String> follow(SettableClock clock) {
        return Optional.of("this program does not start its server with a clock that can be set: see --faults-of");
    }

    /** Returns the grace period of its namespace, if no lease is longer. */
    default Duration grace() {
        return ClientSettings.GRACE;
    }

    /** Returns what has to be said of the server in a report, such as its version. */
    default String words() {
        return Addresses.withoutPassword(uri());
    }

    @Override
    void close();
}
