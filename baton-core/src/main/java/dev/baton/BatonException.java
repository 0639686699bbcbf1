package dev.baton;

import org.jspecify.annotations.Nullable;

/**
 * Thrown if a call fails for another reason than a bad argument. The message says what happened and what to change. The
 * subclasses say more; an exception of exactly this type means that the name stands for another kind of lock.
 *
 * @since 0.1
 */
public class BatonException extends RuntimeException {
    private static final long serialVersionUID = 1L;

    BatonException(String message, @Nullable Throwable cause) {
        super(message, cause);
    }
}
