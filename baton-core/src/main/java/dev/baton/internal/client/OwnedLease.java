package dev.baton.internal.client;

import dev.baton.Lease;
import dev.baton.LeaseLostException;
import org.jspecify.annotations.Nullable;

/** What templates need of a lease beside its public side. */
interface OwnedLease extends Lease {
    /** Releases it without waiting, for a caller that has not used it: nothing is kept, whatever its options say. */
    void giveBack();

    /**
     * Returns the token that it has for a name of the namespace of those waits.
     *
     * @throws IllegalArgumentException if it does not have that name
     */
    long tokenOf(Waits waits, String name);

    /** Whether its owner released it before it was lost. */
    boolean wasReleased();

    /** Whether it was lost, wholly or in part. */
    boolean wasLost();

    /** Returns the exception for a lease that is not held, or not for long enough. */
    LeaseLostException lost(@Nullable Object result, @Nullable Throwable failure);
}
