package dev.baton.bench;

import java.net.URI;
import java.util.Optional;

/**
 * Where a client goes, and its place among others.
 *
 * @param baton the address of Baton's store
 * @param server the address of the server that is measured; empty if there is none
 * @param database the address of the database that is measured; empty if there is none
 * @param clients how many clients of the contestant there are
 * @param index which of them this is, from 0
 */
public record Stage(String baton, Optional<URI> server, Optional<String> database, int clients, int index) {
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
     * The address of the database, for those who cannot do without.
     *
     * @return the address, as its driver knows it
     * @throws IllegalStateException if there is none: whoever needs one must not be opened then
     */
    public String databaseUrl() {
        return database.orElseThrow(() -> new IllegalStateException("no database was named"));
    }

    Stage of(int allClients, int thisIndex) {
        return new Stage(baton, server, database, allClients, thisIndex);
    }

    /** Whether a contestant can take part. */
    boolean has(Contestant contestant) {
        return switch (contestant.home()) {
            case JVM, BATON -> true;
            case SERVER -> server.isPresent();
            case DATABASE -> database.isPresent();
        };
    }

    /** Whether what the server counts is what the contestant did. */
    boolean isSeenByServer(Contestant contestant) {
        return switch (contestant.home()) {
            case JVM, DATABASE -> false;
            case SERVER -> true;
            case BATON -> server.isPresent() && baton.equals(server.get().toString());
        };
    }
}
