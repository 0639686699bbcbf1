package dev.baton.internal.client;

import dev.baton.Lease;
import dev.baton.LockOptions;
import dev.baton.internal.engine.Grant;
import dev.baton.internal.engine.HoldRequest;
import dev.baton.internal.engine.Waiter;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.Executor;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * An action under a lease that is acquired without a waiting thread. If the action returns a stage, the action ends
 * when that stage ends.
 *
 * @param <T> the type of the future's result
 */
final class AsyncCall<T extends @Nullable Object> extends WaitingCallers.Pending<T> {
    private final LeaseLocks locks;
    private final LockOptions options;
    private final Function<Lease, ?> action;
    private final @Nullable Executor executor;

    /** Whether the call returns the stage's result; otherwise it returns the stage itself. */
    private final boolean unwraps;

    private AsyncCall(
            LeaseLocks locks,
            HoldRequest request,
            LockOptions options,
            Function<Lease, ?> action,
            @Nullable Executor executor,
            boolean unwraps,
            CompletableFuture<T> result) {
        super(locks.waits(), request, false, false, result);
        this.locks = locks;
        this.options = options;
        this.action = Objects.requireNonNull(action, "action");
        this.executor = executor;
        this.unwraps = unwraps;
    }

    AsyncCall(
            LeaseLocks locks,
            HoldRequest request,
            LockOptions options,
            Function<Lease, T> action,
            @Nullable Executor executor) {
        this(locks, request, options, action, executor, false, new CompletableFuture<>());
    }

    static <T extends @Nullable Object> AsyncCall<T> ofStage(
            LeaseLocks locks,
            HoldRequest request,
            LockOptions options,
            Function<Lease, ? extends CompletionStage<T>> action) {
        return new AsyncCall<>(locks, request, options, Template.stage(action), null, true, new CompletableFuture<>());
    }

    @Override
    WaitingCallers.Pending<T> anew() {
        return new AsyncCall<>(locks, request, options, action, executor, unwraps, result);
    }

    @Override
    void granted(Delivery delivery) {
        threads.act(delivery, executor);
    }

    @Override
    void take(Grant grant) {
        if (result.isDone()) {
            release(grant);
            return;
        }
        new Template(options, locks.handle(grant)).perform(action, unwraps, threads, result);
    }

    @Override
    void refused(Waiter.Outcome outcome) {
        RuntimeException reason = outcome instanceof Waiter.Failed failed
                ? failed.reason()
                : new IllegalStateException("an untimed caller was told that its lock is busy");
        result.completeExceptionally(reason);
    }
}
