package dev.baton;

/**
 * Thrown by every method of a {@link Baton} that is closed, and to callers that wait while it closes. They hold
 * nothing.
 *
 * @since 0.1
 */
public final class BatonClosedException extends BatonException {
    private static final long serialVersionUID = 1L;

    BatonClosedException(String message) {
        super(message, null);
    }
}
