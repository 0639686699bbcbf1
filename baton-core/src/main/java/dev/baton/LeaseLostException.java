package dev.baton;

import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * The lease was lost. From {@link Lease#ensureHeld} before the dangerous step; from {@link DistributedLock#call} and
 * {@link DistributedLock#run} after an action during which it was lost, with what the action returned or threw: the
 * work may have been done beside another holder's.
 */
public final class LeaseLostException extends BatonException {
    private static final long serialVersionUID = 1L;

    /** Why. */
    private final LossCause lossCause;

    /** What the action returned; not serialized, because nobody knows whether it could be. */
    private final transient @Nullable Object result;

    /**
     * An exception.
     *
     * @param message for people
     * @param lossCause why the lease was lost
     * @param result what the action returned, or null
     * @param failure what the action threw, or null; it becomes the cause
     */
    public LeaseLostException(
            String message, LossCause lossCause, @Nullable Object result, @Nullable Throwable failure) {
        super(message, failure);
        this.lossCause = lossCause;
        this.result = result;
    }

    /**
     * Why the lease was lost.
     *
     * @return the cause of the loss
     */
    public LossCause lossCause() {
        return lossCause;
    }

    /**
     * What the action returned in spite of the loss.
     *
     * @return the result, or empty where there was no action, or it returned nothing or threw (see {@link #getCause})
     */
    public Optional<Object> result() {
        return Optional.ofNullable(result);
    }
}
