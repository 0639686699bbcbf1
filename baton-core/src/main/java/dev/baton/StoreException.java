package dev.baton;

import org.jspecify.annotations.Nullable;

/**
 * Thrown if the store gave no answer: whether the lock is free, held by another or even granted is unknown. The caller
 * holds nothing, and the client undoes the request in the background. Never thrown if another holds the lock.
 *
 * @since 0.1
 */
public final class StoreException extends BatonException {
    private static final long serialVersionUID = 1L;

    /** Reasons that need different remedies. */
    public enum Reason {
        /** No server answers at the address, or not in time. */
        UNREACHABLE,
        /** The store refuses this user: a wrong password, or a right that is missing. */
        DENIED,
        /** The store answers, but must not be used as it is: its version, role, settings, data or namespace. */
        UNFIT,
        /** None of these. */
        OTHER
    }

    /** The reason. */
    private final Reason reason;

    StoreException(Reason reason, String message, @Nullable Throwable cause) {
        super(message, cause);
        this.reason = reason;
    }

    /**
     * Returns why there was no answer.
     *
     * @return the reason, {@link Reason#OTHER} where the store's driver does not tell
     */
    public Reason reason() {
        return reason;
    }
}
