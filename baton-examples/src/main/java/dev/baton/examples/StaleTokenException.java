package dev.baton.examples;

/** A holder that lost its lock tried to continue. */
final class StaleTokenException extends RuntimeException {
    private static final long serialVersionUID = 1L;

    StaleTokenException(String sku, long token) {
        super("token " + token + " is too old for the stock of " + sku + ", or there is no such stock");
    }
}
