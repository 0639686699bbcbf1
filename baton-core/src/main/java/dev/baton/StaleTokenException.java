package dev.baton;

/**
 * Thrown if a protected resource has seen a greater fencing token: the lease was lost, and another holder works or has
 * worked since. The caller must not write any more, and must roll its transaction back.
 *
 * @since 0.1
 */
public final class StaleTokenException extends BatonException {
    private static final long serialVersionUID = 1L;

    /** The token that came too late. */
    private final long token;

    /**
     * Creates an exception.
     *
     * @param message the readable message
     * @param token the token that came too late
     */
    public StaleTokenException(String message, long token) {
        super(message, null);
        this.token = token;
    }

    /**
     * Returns the token that came too late.
     *
     * @return the token
     */
    public long token() {
        return token;
    }
}
