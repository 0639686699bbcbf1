package dev.baton.spi;

import org.jspecify.annotations.Nullable;

/**
 * A command got no answer. Never used for an answer such as “held by another”.
 *
 * <p>Messages are shown to people: they say what happened and what to change, and never contain a secret.
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

    /** The known effect. */
    private final Effect effect;

    /**
     * A failure.
     *
     * @param effect what is known of the command's effect
     * @param message for people
     * @param cause what the driver said, if anything
     */
    public StoreFailure(Effect effect, String message, @Nullable Throwable cause) {
        super(message, cause);
        this.effect = effect;
    }

    /**
     * What is known of the command's effect.
     *
     * @return the effect
     */
    public Effect effect() {
        return effect;
    }
}
