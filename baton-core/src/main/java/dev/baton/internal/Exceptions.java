package dev.baton.internal;

import dev.baton.BatonException;
import dev.baton.LeaseLostException;
import dev.baton.LossCause;
import dev.baton.StoreException;
import dev.baton.TooManyWaitersException;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * Makes the public exceptions, whose constructors are not public. A class beside them sets the only instance when it is
 * initialized; the exceptions need not know it. Thread-safe.
 */
public abstract class Exceptions {
    private static volatile @Nullable Exceptions instance;

    /** For {@code dev.baton}. */
    protected Exceptions() {}

    /** Sets the instance. */
    protected static void set(Exceptions exceptions) {
        instance = exceptions;
    }

    /** Returns the instance. */
    public static Exceptions get() {
        if (instance == null) {
            try {
                // A constant name, which a native image resolves when it is built.
                Class.forName("dev.baton.MakerOfExceptions");
            } catch (ClassNotFoundException impossible) {
                throw new AssertionError(impossible);
            }
        }
        return Objects.requireNonNull(instance, "MakerOfExceptions sets it");
    }

    /** Makes an exception that no other type fits. */
    public abstract BatonException other(String message, @Nullable Throwable cause);

    /** Makes the exception for a client that is closed. */
    public abstract BatonException closed();

    /** Makes the exception for a queue that is full. */
    public abstract TooManyWaitersException tooManyWaiters(String message);

    /** Makes the exception for a store that gave no answer. */
    public abstract StoreException store(StoreException.Reason reason, String message, @Nullable Throwable cause);

    /** Makes the exception for a store that gave no answer, for none of the known reasons. */
    public final StoreException store(String message) {
        return store(StoreException.Reason.OTHER, message, null);
    }

    /**
     * Makes the exception for a lost lease.
     *
     * @param result what the action returned, or null
     * @param failure what the action threw, or null; becomes the cause
     */
    public abstract LeaseLostException leaseLost(
            String message, LossCause lossCause, @Nullable Object result, @Nullable Throwable failure);

    /** Makes the same exception with the stack of the calling thread: another thread made it, perhaps for many callers. */
    public abstract RuntimeException inThisThread(RuntimeException original);
}
