package dev.baton.spi;

import org.jspecify.annotations.Nullable;

/**
 * A command got no answer. Never used for an answer such as “held by another”.
 *
 * <p>Messages are shown to people: they say what happened and what to change, and never contain a secret.
 *
 * @since 0.1
 */
public final class StoreFailure extends Exception {
    private static final long serialVersionUID = 1L;

    /** What is known of the command's effect. */
    public enum Effect {
        /** The command did not and will not take effect: it was not sent, or the store refused it as a whole. */
        NONE,
        /** It may have taken effect, or may yet. The engine undoes it. */
        UNKNOWN
    }

    /** Why there was no answer, as far as it changes what people have to do. */
    public enum Reason {
        /** Nobody answers there, or not in time: no such host, a closed port, a server that is busy or starting. */
        UNREACHABLE,
        /** The store refuses this user: a wrong password, or a right that is missing. */
        DENIED,
        /** The store answers, but must not be used as it is: its version, role, settings, data or namespace. */
        UNFIT,
        /** None of these. */
        OTHER
    }

    /** The known effect. */
    private final Effect effect;

    /** The reason. */
    private final Reason reason;

    /**
     * A failure.
     *
     * @param effect what is known of the command's effect
     * @param message for people
     * @param cause what the driver said, if anything
     */
    public StoreFailure(Effect effect, String message, @Nullable Throwable cause) {
        this(effect, Reason.OTHER, message, cause);
    }

    /**
     * A failure with a reason.
     *
     * @param effect what is known of the command's effect
     * @param reason why there was no answer
     * @param message for people
     * @param cause what the driver said, if anything
     */
    public StoreFailure(Effect effect, Reason reason, String message, @Nullable Throwable cause) {
        super(message, cause);
        this.effect = effect;
        this.reason = reason;
    }

    /**
     * What is known of the command's effect.
     *
     * @return the effect
     */
    public Effect effect() {
        return effect;
    }

    /**
     * Why there was no answer.
     *
     * @return the reason
     */
    public Reason reason() {
        return reason;
    }
}
