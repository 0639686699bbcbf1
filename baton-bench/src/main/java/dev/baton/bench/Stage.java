package dev.baton.bench;

import dev.baton.bench.Contestant.Home;
import java.net.URI;
import java.util.Map;
import java.util.Optional;

/**
 * Where a client goes, and its place among others.
 *
 * @param baton the address of Baton's store
 * @param server the address of the server that is measured; empty if there is none
 * @param elsewhere the addresses of other homes that are measured
 * @param clients how many clients of the contestant there are
 * @param index which of them this is, from 0
 */
public record Stage(String baton, Optional<URI> server, Map<Home, String> elsewhere, int clients, int index) {
    /**
     * The address of the server, for those who cannot do without.
     *
     * @return the address
     * @throws IllegalStateException if there is none: whoever needs one must not be opened then
     */
    public URI serverAddress() {
        return server.orElseThrow(() -> new IllegalStateException("no server was named"));
    }

    /**
     * The address of another home, for those who cannot do without.
     *
     * @param home where to
     * @return the address, as Baton or a driver knows it
     * @throws IllegalStateException if there is none: whoever needs one must not be opened then
     */
    public String addressOf(Home home) {
        String address = elsewhere.get(home);
        if (address == null) {
            throw new IllegalStateException("no address was given for " + home);
        }
        return address;
    }

    Stage of(int allClients, int thisIndex) {
        return new Stage(baton, server, elsewhere, allClients, thisIndex);
    }

    /** Whether a contestant can take part. */
    boolean has(Contestant contestant) {
        return switch (contestant.home()) {
            case JVM, BATON -> true;
            case SERVER -> server.isPresent();
            case DATABASE, ZOOKEEPER, ETCD -> elsewhere.containsKey(contestant.home());
        };
    }

    /** Whether what the server counts is what the contestant did. */
    boolean isSeenByServer(Contestant contestant) {
        return switch (contestant.home()) {
            case JVM, DATABASE, ZOOKEEPER, ETCD -> false;
            case SERVER -> true;
            case BATON -> server.isPresent() && baton.equals(server.get().toString());
        };
    }
}
