package dev.baton;

import org.jspecify.annotations.Nullable;

/**
 * The store gave no answer: whether the lock is free, held or even ours is unknown. The caller holds nothing, and
 * whatever was asked is undone in the background. Never thrown for “held by another”.
 */
public final class StoreException extends BatonException {
    private static final long serialVersionUID = 1L;

    /** Why there was no answer, as far as it changes what people have to do. */
    public enum Reason {
        /** Nobody answers there, or not in time. */
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

    /**
     * An exception.
     *
     * @param message for people
     * @param cause what the store's driver said, or null
     */
    public StoreException(String message, @Nullable Throwable cause) {
        this(Reason.OTHER, message, cause);
    }

    /**
     * An exception with a reason.
     *
     * @param reason why there was no answer
     * @param message for people
     * @param cause what the store's driver said, or null
     */
    public StoreException(Reason reason, String message, @Nullable Throwable cause) {
        super(message, cause);
        this.reason = reason;
    }

    /**
     * Why there was no answer.
     *
     * @return the reason, {@link Reason#OTHER} where the store's driver does not tell
     */
    public Reason reason() {
        return reason;
    }
}
