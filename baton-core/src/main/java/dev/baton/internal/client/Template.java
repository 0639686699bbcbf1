package dev.baton.internal.client;

import dev.baton.DistributedLock.LeaseAction;
import dev.baton.DistributedLock.LeaseFunction;
import dev.baton.Lease;
import dev.baton.LockOptions;
import dev.baton.ReleaseOutcome;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.CompletionStage;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** Runs an action under a lease: calls the hooks, releases, and reports a loss that happened meanwhile. */
final class Template {
    private final LockOptions options;
    private final OwnedLease lease;

    Template(LockOptions options, OwnedLease lease) {
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

    /**
     * Runs the action, and completes a future as a blocking caller would return or throw. If the action returns a stage,
     * the action ends when that stage ends.
     *
     * @param unwraps whether the future gets the stage's result; otherwise it gets the stage itself
     * @param threads run what follows a stage, which may end on any thread, while the release may block
     */
    <T extends @Nullable Object> void perform(
            Function<Lease, ?> action, boolean unwraps, ClientThreads threads, CompletableFuture<T> result) {
        Object value = null;
        Throwable fault = null;
        try {
            value = this.<@Nullable Object, RuntimeException>begin(action::apply);
        } catch (Throwable thrown) {
            fault = thrown;
        }
        if (value instanceof CompletionStage<?> stage) {
            CompletionStage<?> unused = stage.whenComplete((inner, thrown) ->
                    threads.follow(() -> complete(result, unwraps ? inner : stage, unwraps ? cause(thrown) : null)));
        } else {
            complete(result, value, fault);
        }
    }

    /** Runs the action; {@link #end} must follow. */
    private <T extends @Nullable Object, X extends Throwable> T begin(LeaseFunction<T, X> action) throws X {
        options.beforeAction().accept(lease);
        return action.apply(lease);
    }

    /**
     * Releases the lease. If it was lost meanwhile, throws the loss instead, unless the action threw an {@link Error}.
     */
    private <T extends @Nullable Object, X extends Throwable> T end(T result, @Nullable Throwable thrown) throws X {
        boolean releasedByAction = lease.wasReleased();
        ReleaseOutcome outcome = lease.release();
        Throwable fault = exit(outcome, thrown);
        boolean takenAway = outcome == ReleaseOutcome.EXPIRED || outcome == ReleaseOutcome.NOT_HELD;
        boolean lost = lease.wasLost() || (takenAway && !releasedByAction);
        if (lost && !(fault instanceof Error)) {
            throw lease.lost(result, fault);
        }
        if (fault != null) {
            WaitingCallers.<X>rethrow(fault);
        }
        return result;
    }

    @SuppressWarnings({"unchecked", "NullAway"}) // the value is what the action returned
    private <T extends @Nullable Object> void complete(
            CompletableFuture<T> result, @Nullable Object value, @Nullable Throwable fault) {
        try {
            result.complete((T) this.<@Nullable Object, RuntimeException>end(value, fault));
        } catch (Throwable thrown) {
            result.completeExceptionally(thrown);
        }
    }

    @SuppressWarnings("NullAway") // an action that returns nothing has no result
    static <X extends Throwable> LeaseFunction<@Nullable Object, X> nothing(LeaseAction<X> action) {
        return lease -> {
            action.accept(lease);
            return null;
        };
    }

    static <T extends @Nullable Object> Function<Lease, CompletionStage<T>> stage(
            Function<Lease, ? extends CompletionStage<T>> action) {
        Objects.requireNonNull(action, "action");
        return lease ->
                Objects.requireNonNull(action.apply(lease), "the action of callAsync must return a stage, not null");
    }

    static <T> T required(@Nullable T result) {
        return Objects.requireNonNull(
                result, "the action of tryCall must not return null: empty means that it did not run");
    }

    /** What a stage failed with: stages that depend on another wrap its exception. */
    private static @Nullable Throwable cause(@Nullable Throwable fault) {
        return fault instanceof CompletionException && fault.getCause() != null ? fault.getCause() : fault;
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
