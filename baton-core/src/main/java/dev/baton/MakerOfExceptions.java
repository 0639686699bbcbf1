package dev.baton;

import dev.baton.internal.Exceptions;
import org.jspecify.annotations.Nullable;

/** Gives Baton's own packages access to the constructors of exceptions. {@link Exceptions#get} initializes this class. */
final class MakerOfExceptions extends Exceptions {
    static {
        set(new MakerOfExceptions());
    }

    private MakerOfExceptions() {}

    @Override
    public BatonException other(String message, @Nullable Throwable cause) {
        return new BatonException(message, cause);
    }

    @Override
    public BatonException closed() {
        return new BatonClosedException("this Baton is closed");
    }

    @Override
    public TooManyWaitersException tooManyWaiters(String message) {
        return new TooManyWaitersException(message);
    }

    @Override
    public StoreException store(StoreException.Reason reason, String message, @Nullable Throwable cause) {
        return new StoreException(reason, message, cause);
    }

    @Override
    public LeaseLostException leaseLost(
            String message, LossCause lossCause, @Nullable Object result, @Nullable Throwable failure) {
        return new LeaseLostException(message, lossCause, result, failure);
    }

    @Override
    public RuntimeException inThisThread(RuntimeException original) {
        String message = String.valueOf(original.getMessage());
        if (original instanceof StoreException unanswered) {
            return store(unanswered.reason(), message, original.getCause());
        }
        if (original instanceof BatonClosedException) {
            return new BatonClosedException(message);
        }
        if (original instanceof TooManyWaitersException) {
            return tooManyWaiters(message);
        }
        return original instanceof BatonException
                ? other(message, original.getCause())
                : new IllegalStateException(message, original);
    }
}
