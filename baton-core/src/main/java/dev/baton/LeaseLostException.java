package dev.baton;

import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Thrown if the lease was lost: by {@link Lease#ensureHeld} before the dangerous step, and by templates such as {@link
 * DistributedLock#call} and {@link DistributedLock#run} after an action during which the lease was lost. It then
 * carries the action's result or exception: another holder may have worked at the same time.
 *
 * @since 0.1
 */
public final class LeaseLostException extends BatonException {
    private static final long serialVersionUID = 1L;

    /** Why. */
    private final LossCause lossCause;

    /** Not serialized, because its type may not be serializable. */
    private final transient @Nullable Object result;

    LeaseLostException(String message, LossCause lossCause, @Nullable Object result, @Nullable Throwable failure) {
        super(message, failure);
        this.lossCause = lossCause;
        this.result = result;
    }

    /**
     * Returns why the lease was lost.
     *
     * @return the cause of the loss
     */
    public LossCause lossCause() {
        return lossCause;
    }

    /**
     * Returns the action's result, in spite of the loss.
     *
     * @return the result, or empty where there was no action, or it returned nothing or threw (see {@link #getCause})
     */
    public Optional<Object> result() {
        return Optional.ofNullable(result);
    }
}
