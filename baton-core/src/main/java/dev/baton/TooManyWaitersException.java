package dev.baton;

/**
 * Thrown if {@link BatonOptions#maxLocalWaiters} callers of this client wait for the same name already. The caller
 * holds nothing.
 *
 * @since 0.1
 */
public final class TooManyWaitersException extends BatonException {
    private static final long serialVersionUID = 1L;

    TooManyWaitersException(String message) {
        super(message, null);
    }
}
