package dev.baton.spring.internal;

import dev.baton.Baton;
import dev.baton.DistributedLock;
import dev.baton.Lease;
import dev.baton.LeaseLostException;
import dev.baton.ReleaseOutcome;
import io.micrometer.observation.Observation;
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
 * @param observations that the call makes
 */
record Call(
        MethodInvocation invocation,
        Plan plan,
        Baton baton,
        List<String> names,
        DistributedLock lock,
        Observations observations) {
    /** Waits on the caller's thread; null if others hold the lock for too long. */
    @Nullable
    Taken acquire() throws InterruptedException {
        Observation wait = waits(null);
        Lease lease;
        try {
            lease = lock.tryAcquire(plan.waitFor()).orElse(null);
        } catch (Throwable thrown) {
            Observations.ended(wait, false, thrown);
            throw thrown;
        }
        try {
            Observations.ended(wait, lease != null, null);
            return lease == null ? null : taken(lease, null);
        } catch (Throwable broken) {
            // A handler of the application has failed. Without this the client would renew the lease for ever.
            if (lease != null) {
                lease.close();
            }
            throw broken;
        }
    }

    /** Begins the observation of a wait. */
    Observation waits(@Nullable Observation parent) {
        return observations.waits(plan.method(), names, parent);
    }

    /** Begins the observation of a hold. */
    Taken taken(Lease lease, @Nullable Observation parent) {
        return new Taken(lease, observations.holds(plan.method(), names, parent));
    }

    @Nullable
    Object proceed(Taken taken) throws Throwable {
        try (Observation.Scope scope = taken.hold().openScope()) {
            assert scope != null;
            return proceed(taken.lease());
        } catch (Throwable thrown) {
            taken.failed(thrown);
            throw thrown;
        }
    }

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

    /** Returns a future that is complete when the stage is and the lease has been released; its cancel cancels the stage. */
    static CompletableFuture<Object> ended(CompletionStage<?> stage, Taken taken) {
        return ended(stage, taken, taken::releaseAsync);
    }

    /** The same with another way to release the lease. */
    static CompletableFuture<Object> ended(
            CompletionStage<?> stage, Taken taken, Supplier<CompletableFuture<ReleaseOutcome>> release) {
        CompletableFuture<Object> result = new CompletableFuture<>();
        Object unused = stage.whenComplete((value, thrown) -> {
            LeaseLostException lost = taken.loss();
            if (thrown != null) {
                taken.failed(thrown);
            }
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
