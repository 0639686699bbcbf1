package dev.baton.internal.client;

import dev.baton.DistributedLock.LeaseFunction;
import dev.baton.LockOptions;
import dev.baton.ReleaseOutcome;
import org.jspecify.annotations.Nullable;

/** Runs an action under a lease: calls the hooks, releases, and reports a loss that happened meanwhile. */
final class Template {
    private final LockOptions options;
    private final LeaseHandle lease;

    Template(LockOptions options, LeaseHandle lease) {
        this.options = options;
        this.lease = lease;
    }

    /** Runs the action and releases the lease, even if the action throws. */
    @SuppressWarnings("NullAway") // the result is null only if the action itself returned it
    <T extends @Nullable Object, X extends Throwable> T run(LeaseFunction<T, X> action) throws X {
        T result = null;
        Throwable fault = null;
        try {
            result = begin(action);
        } catch (Throwable thrown) {
            fault = thrown;
        }
        return end(result, fault);
    }

    /** Runs the action; {@link #end} must follow. */
    <T extends @Nullable Object, X extends Throwable> T begin(LeaseFunction<T, X> action) throws X {
        options.beforeAction().accept(lease);
        return action.apply(lease);
    }

    /**
     * Releases the lease. If it was lost meanwhile, throws the loss instead, unless the action threw an {@link Error}.
     */
    <T extends @Nullable Object, X extends Throwable> T end(T result, @Nullable Throwable thrown) throws X {
        boolean releasedByAction = lease.grant().isReleased() && lease.grant().loss() == null;
        ReleaseOutcome outcome = lease.release();
        Throwable fault = exit(outcome, thrown);
        boolean takenAway = outcome == ReleaseOutcome.EXPIRED || outcome == ReleaseOutcome.NOT_HELD;
        boolean lost = lease.grant().loss() != null || (takenAway && !releasedByAction);
        if (lost && !(fault instanceof Error)) {
            throw lease.lost(result, fault);
        }
        if (fault != null) {
            WaitingCallers.<X>rethrow(fault);
        }
        return result;
    }

    /**
     * Calls the hook. Its exception, of any type, is added to the action's as suppressed, or thrown if there is none.
     */
    private @Nullable Throwable exit(ReleaseOutcome outcome, @Nullable Throwable fault) {
        try {
            options.afterRelease().accept(lease, outcome);
            return fault;
        } catch (Throwable hookFault) {
            if (fault == null) {
                return hookFault;
            }
            if (fault != hookFault) {
                fault.addSuppressed(hookFault);
            }
            return fault;
        }
    }
}
