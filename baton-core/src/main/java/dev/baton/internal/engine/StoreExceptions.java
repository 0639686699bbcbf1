package dev.baton.internal.engine;

import dev.baton.StoreException;
import dev.baton.StoreException.Reason;
import dev.baton.internal.Exceptions;
import dev.baton.spi.StoreFailure;

/** Converts failures of stores to the exceptions that users see. */
public final class StoreExceptions {
    private StoreExceptions() {}

    /**
     * Returns the exception for a failure.
     *
     * @param message shown to users; includes the failure's own message
     * @param failure becomes the cause
     */
    public static StoreException of(String message, StoreFailure failure) {
        Reason reason = switch (failure.reason()) {
            case UNREACHABLE -> Reason.UNREACHABLE;
            case DENIED -> Reason.DENIED;
            case UNFIT -> Reason.UNFIT;
            case OTHER -> Reason.OTHER;
        };
        return Exceptions.get().store(reason, message, failure);
    }
}
