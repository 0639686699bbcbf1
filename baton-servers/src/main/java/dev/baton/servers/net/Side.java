package dev.baton.servers.net;

/** A side of a connection. */
public enum Side {
    /** The side that connected. */
    CLIENT,
    /** The side that listened. */
    TARGET
}
