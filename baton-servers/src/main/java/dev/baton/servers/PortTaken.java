package dev.baton.servers;

/** The port belongs to somebody else. */
final class PortTaken extends Exception {
    private static final long serialVersionUID = 1;

    PortTaken(String message) {
        super(message);
    }
}
