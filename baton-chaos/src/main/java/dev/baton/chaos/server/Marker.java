package dev.baton.chaos.server;

/** A number that a server keeps beside the locks, which shows whether it has forgotten. */
interface Marker {
    /** Stores a number. */
    void set(long number) throws Exception;

    /** Whether the server knows the number. */
    boolean isSet(long number) throws Exception;
}
