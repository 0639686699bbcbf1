package dev.baton;

import org.jspecify.annotations.Nullable;

/** What goes wrong beyond bad arguments. The message says what happened and, where there is something, what to change. */
public class BatonException extends RuntimeException {
    private static final long serialVersionUID = 1L;

    /**
     * An exception.
     *
     * @param message for people
     * @param cause what led to it, or null
     */
    public BatonException(String message, @Nullable Throwable cause) {
        super(message, cause);
    }
}
