package dev.baton.spring.internal;

import dev.baton.Baton;
import dev.baton.DistributedLock;
import dev.baton.Lease;
import dev.baton.LeaseLostException;
import dev.baton.ReleaseOutcome;
import java.util.List;
import java.util.concurrent.CancellationException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.function.Supplier;
import org.aopalliance.intercept.MethodInvocation;
import org.jspecify.annotations.Nullable;

/**
 * One call of a locked method, and how its lease ends.
 *
 * @param invocation of the method
 * @param plan of the method
 * @param baton that has the locks
 * @param names of the locks
 * @param lock of these names
 */
record Call(MethodInvocation invocation, Plan plan, Baton baton, List<String> names, DistributedLock lock) {
    @Nullable
    Object proceed(Lease lease) throws Throwable {
        Inside inside = new Inside(plan, baton, names, lease);
        inside.enter();
        try {
            return plan.proceed(invocation, lease);
        } finally {
            inside.leave();
        }
    }

    @Nullable
    Object notAvailable() throws Throwable {
        return plan.notAvailable(invocation, names);
    }

    /** Releases a lease, and returns its loss; null if it was held until now. */
    static @Nullable LeaseLostException end(Lease lease) {
        LeaseLostException lost = loss(lease);
        lease.close();
        return lost;
    }

    static @Nullable LeaseLostException loss(Lease lease) {
        try {
            lease.ensureHeld();
            return null;
        } catch (LeaseLostException lost) {
            return lost;
        }
    }

    /** Returns a future that is complete when the stage is and the lease has been released; its cancel cancels the stage. */
    static CompletableFuture<Object> ended(CompletionStage<?> stage, Lease lease) {
        return ended(stage, lease, lease::releaseAsync);
    }

    /** The same with another way to release the lease. */
    static CompletableFuture<Object> ended(
            CompletionStage<?> stage, Lease lease, Supplier<CompletableFuture<ReleaseOutcome>> release) {
        CompletableFuture<Object> result = new CompletableFuture<>();
        Object unused = stage.whenComplete((value, thrown) -> {
            LeaseLostException lost = loss(lease);
            Object unusedEither = release.get().whenComplete((released, unknown) -> {
                if (thrown != null) {
                    result.completeExceptionally(thrown);
                } else if (lost != null) {
                    result.completeExceptionally(lost);
                } else {
                    result.complete(value);
                }
            });
        });
        Object unusedToo = result.whenComplete((value, thrown) -> {
            if (thrown instanceof CancellationException) {
                stage.toCompletableFuture().cancel(true);
            }
        });
        return result;
    }
}
