package dev.baton.spi;

import org.jspecify.annotations.Nullable;

/**
 * Thrown if a command got no answer. An answer such as “held by another” is not a failure.
 *
 * <p>Users see the messages: they name the problem and the change to make, and never contain a secret.
 *
 * @since 0.1
 */
public final class StoreFailure extends Exception {
    private static final long serialVersionUID = 1L;

    /** The known effect of a command. */
    public enum Effect {
        /** The command did not and will not take effect: it was not sent, or the store refused it as a whole. */
        NONE,
        /** The command may have taken effect, or may do so later. The engine undoes it. */
        UNKNOWN
    }

    /** Why there was no answer. Each reason calls for a different action by users. */
    public enum Reason {
        /** No server answers there, or not in time: no such host, a closed port, a server that is busy or starting. */
        UNREACHABLE,
        /** The store refuses this user: a wrong password, or a missing permission. */
        DENIED,
        /** The store answers, but must not be used as it is: its version, role, settings, data or namespace. */
        UNFIT,
        /** Any other reason. */
        OTHER
    }

    /** The known effect. */
    private final Effect effect;

    /** The reason. */
    private final Reason reason;

    /**
     * Creates a failure for {@link Reason#OTHER}.
     *
     * @param effect the known effect of the command
     * @param message shown to users
     * @param cause the driver's exception, or null
     */
    public StoreFailure(Effect effect, String message, @Nullable Throwable cause) {
        this(effect, Reason.OTHER, message, cause);
    }

    /**
     * Creates a failure.
     *
     * @param effect the known effect of the command
     * @param reason why there was no answer
     * @param message shown to users
     * @param cause the driver's exception, or null
     */
    public StoreFailure(Effect effect, Reason reason, String message, @Nullable Throwable cause) {
        super(message, cause);
        this.effect = effect;
        this.reason = reason;
    }

    /**
     * Returns the known effect of the command.
     *
     * @return the effect
     */
    public Effect effect() {
        return effect;
    }

    /**
     * Returns why there was no answer.
     *
     * @return the reason
     */
    public Reason reason() {
        return reason;
    }
}
