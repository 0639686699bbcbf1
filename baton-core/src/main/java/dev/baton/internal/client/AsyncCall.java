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
    private final Function<Grant, LeaseHandle> handles;
    private final LockOptions options;
    private final Function<Lease, ?> action;
    private final @Nullable Executor executor;

    /** Whether the call returns the stage's result; otherwise it returns the stage itself. */
    private final boolean unwraps;

    private AsyncCall(
            Waits waits,
            Function<Grant, LeaseHandle> handles,
            HoldRequest request,
            LockOptions options,
            Function<Lease, ?> action,
            @Nullable Executor executor,
            boolean unwraps,
            CompletableFuture<T> result) {
        super(waits, request, false, false, result);
        this.handles = handles;
        this.options = options;
        this.action = Objects.requireNonNull(action, "action");
        this.executor = executor;
        this.unwraps = unwraps;
    }

    AsyncCall(
            Waits waits,
            Function<Grant, LeaseHandle> handles,
            HoldRequest request,
            LockOptions options,
            Function<Lease, T> action,
            @Nullable Executor executor) {
        this(waits, handles, request, options, action, executor, false, new CompletableFuture<>());
    }

    static <T extends @Nullable Object> AsyncCall<T> ofStage(
            Waits waits,
            Function<Grant, LeaseHandle> handles,
            HoldRequest request,
            LockOptions options,
            Function<Lease, ? extends CompletionStage<T>> action) {
        Function<Lease, CompletionStage<T>> stage = lease ->
                Objects.requireNonNull(action.apply(lease), "the action of callAsync must return a stage, not null");
        return new AsyncCall<>(waits, handles, request, options, stage, null, true, new CompletableFuture<>());
    }

    @Override
    WaitingCallers.Pending<T> anew() {
        return new AsyncCall<>(waits, handles, request, options, action, executor, unwraps, result);
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
        Template template = new Template(options, handles.apply(grant));
        Object value = null;
        Throwable fault = null;
        try {
            value = template.<@Nullable Object, RuntimeException>begin(action::apply);
        } catch (Throwable thrown) {
            fault = thrown;
        }
        if (value instanceof CompletionStage<?> stage) {
            await(template, stage);
        } else {
            template.complete(result, value, fault);
        }
    }

    /** The stage may end on any thread, and the release may block. */
    private void await(Template template, CompletionStage<?> stage) {
        CompletionStage<?> unused = stage.whenComplete((value, fault) -> threads.follow(() -> {
            if (unwraps) {
                template.complete(result, value, Template.cause(fault));
            } else {
                template.complete(result, stage, null);
            }
        }));
    }

    @Override
    void refused(Waiter.Outcome outcome) {
        RuntimeException reason = outcome instanceof Waiter.Failed failed
                ? failed.reason()
                : new IllegalStateException("an untimed caller was told that its lock is busy");
        result.completeExceptionally(reason);
    }
}
