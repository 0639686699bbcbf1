package dev.baton.servers;

/** Another process uses the port. */
final class PortTaken extends Exception {
    private static final long serialVersionUID = 1;

    PortTaken(String message) {
        super(message);
    }
}
