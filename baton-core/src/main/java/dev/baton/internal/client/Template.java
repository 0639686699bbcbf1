package dev.baton.internal.client;

import dev.baton.DistributedLock.LeaseFunction;
import dev.baton.LockOptions;
import dev.baton.ReleaseOutcome;
import org.jspecify.annotations.Nullable;

/** What a template does around an action: hooks, release, and the answer to a loss on the way. */
final class Template {
    private final LockOptions options;
    private final LeaseHandle lease;

    Template(LockOptions options, LeaseHandle lease) {
        this.options = options;
        this.lease = lease;
    }

    /** Runs the action and releases, whatever the action does. */
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

    /** Runs the action, and leaves the rest to {@link #end}. */
    <T extends @Nullable Object, X extends Throwable> T begin(LeaseFunction<T, X> action) throws X {
        options.beforeAction().accept(lease);
        return action.apply(lease);
    }

    /** Releases. A loss on the way outranks what the action returned or threw. */
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

    /** What the hook throws, whatever its type, comes after what the action threw. */
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
