package dev.baton;

import org.jspecify.annotations.Nullable;

/**
 * The store gave no answer: whether the lock is free, held or even ours is unknown. The caller holds nothing, and
 * whatever was asked is undone in the background. Never thrown for “held by another”.
 */
public final class StoreException extends BatonException {
    private static final long serialVersionUID = 1L;

    /**
     * An exception.
     *
     * @param message for people
     * @param cause what the store's driver said, or null
     */
    public StoreException(String message, @Nullable Throwable cause) {
        super(message, cause);
    }
}
