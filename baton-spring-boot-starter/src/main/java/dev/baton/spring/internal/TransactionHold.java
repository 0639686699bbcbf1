package dev.baton.spring.internal;

import dev.baton.Lease;
import dev.baton.ReleaseOutcome;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.atomic.AtomicInteger;
import org.springframework.transaction.support.TransactionSynchronization;
import org.springframework.transaction.support.TransactionSynchronizationManager;

/**
 * Holds a lease until the present transaction has ended: others must not read uncommitted data. If the lease is lost
 * before the commit, the transaction rolls back.
 */
final class TransactionHold implements TransactionSynchronization {
    private final Inside inside;
    private final Runnable end;

    private TransactionHold(Inside inside, Runnable end) {
        this.inside = inside;
        this.end = end;
    }

    private static boolean isActive() {
        return TransactionSynchronizationManager.isActualTransactionActive()
                && TransactionSynchronizationManager.isSynchronizationActive();
    }

    /** Has a lease released when the present transaction has ended; false if there is none. */
    static boolean until(Call call, Taken taken) {
        if (!isActive()) {
            return false;
        }
        register(call, taken.lease(), taken::close);
        return true;
    }

    /** Until its end, further locked methods of this thread run under the lease. */
    private static void register(Call call, Lease lease, Runnable end) {
        Inside inside = new Inside(call.plan(), call.baton(), call.names(), lease);
        inside.enter();
        TransactionSynchronizationManager.registerSynchronization(new TransactionHold(inside, end));
    }

    /** Ends a lease with a stage, or with the present transaction if that is later. */
    static CompletableFuture<Object> both(Call call, CompletionStage<?> stage, Taken taken) {
        if (!isActive()) {
            return Call.ended(stage, taken);
        }
        AtomicInteger open = new AtomicInteger(2);
        Runnable one = () -> {
            if (open.decrementAndGet() == 0) {
                Object unused = taken.releaseAsync();
            }
        };
        register(call, taken.lease(), one);
        // The caller may wait for the stage inside the transaction.
        return Call.ended(stage, taken, () -> {
            one.run();
            return CompletableFuture.completedFuture(ReleaseOutcome.UNKNOWN);
        });
    }

    @Override
    public void beforeCommit(boolean readOnly) {
        inside.lease().ensureHeld();
    }

    @Override
    public void afterCompletion(int status) {
        inside.leave();
        end.run();
    }
}
