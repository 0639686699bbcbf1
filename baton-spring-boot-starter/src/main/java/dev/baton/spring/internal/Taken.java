package dev.baton.spring.internal;

import dev.baton.Lease;
import dev.baton.LeaseLostException;
import dev.baton.ReleaseOutcome;
import io.micrometer.observation.Observation;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;

/**
 * The lease that a call has acquired, and the observation of how long it has it.
 *
 * @param lease the lease
 * @param hold its observation, which has begun
 */
record Taken(Lease lease, Observation hold) {
    /** Releases the lease. */
    void close() {
        try {
            lease.close();
        } finally {
            hold.stop();
        }
    }

    /** Releases the lease without waiting. */
    CompletableFuture<ReleaseOutcome> releaseAsync() {
        CompletableFuture<ReleaseOutcome> released = lease.releaseAsync();
        Object unused = released.whenComplete((outcome, thrown) -> hold.stop());
        return released;
    }

    /** Releases the lease, and returns its loss; null if it was held until now. */
    @Nullable
    LeaseLostException end() {
        LeaseLostException lost = loss();
        close();
        return lost;
    }

    /** Returns the loss of the lease; null if it is held. */
    @Nullable
    LeaseLostException loss() {
        try {
            lease.ensureHeld();
            return null;
        } catch (LeaseLostException lost) {
            failed(lost);
            return lost;
        }
    }

    /** Says why the work has failed. A handler that fails itself must not keep the lease from being released. */
    void failed(Throwable thrown) {
        try {
            hold.error(thrown);
        } catch (RuntimeException broken) {
            if (broken != thrown) {
                thrown.addSuppressed(broken);
            }
        }
    }
}
