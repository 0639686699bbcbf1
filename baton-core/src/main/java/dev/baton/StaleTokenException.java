package dev.baton;

/**
 * A protected resource has seen a greater fencing token: the lease was lost, and another holder is at work or has been.
 * Nothing may be written any more; a transaction has to be rolled back.
 */
public final class StaleTokenException extends BatonException {
    private static final long serialVersionUID = 1L;

    /** The token that came too late. */
    private final long token;

    /**
     * An exception.
     *
     * @param message for people
     * @param token the token that came too late
     */
    public StaleTokenException(String message, long token) {
        super(message, null);
        this.token = token;
    }

    /**
     * The token that came too late.
     *
     * @return the token
     */
    public long token() {
        return token;
    }
}
