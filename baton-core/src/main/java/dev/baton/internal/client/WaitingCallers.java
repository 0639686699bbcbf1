package dev.baton.internal.client;

import dev.baton.Lease;
import dev.baton.ReleaseOutcome;
import dev.baton.internal.engine.Waiter;
import dev.baton.internal.engine.Want;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Future;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Consumer;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** The two ways to wait: a parked thread, and a future. */
final class WaitingCallers {
    private WaitingCallers() {}

    /** Throws what the action threw, which its signature allows, as it is. */
    @SuppressWarnings("unchecked")
    static <X extends Throwable> void rethrow(Throwable thrown) throws X {
        throw (X) thrown;
    }

    /** A thread that parks until its outcome is there. */
    static final class Parked extends Waiter {
        private final Thread caller;

        private final Description describer;

        Parked(Want want, boolean tryOnly, boolean timed, Description describer, @Nullable Throwable takenAt) {
            super(want, tryOnly, timed, Thread.currentThread(), takenAt);
            this.caller = Thread.currentThread();
            this.describer = describer;
        }

        @Override
        protected String description() {
            return describer.of(caller.getName());
        }

        @Override
        protected void settled() {
            LockSupport.unpark(caller);
        }
    }

    /**
     * A future. Cancelling it withdraws the request; a grant that came first is released.
     *
     * @param <T> Lease or Optional of Lease
     */
    static final class Pending<T> extends Waiter {
        private final CompletableFuture<T> result = new CompletableFuture<>();
        private final ClientThreads threads;
        private final Function<Outcome, T> conversion;
        private final Description describer;
        private volatile @Nullable Future<?> timeout;

        Pending(
                Want want,
                boolean tryOnly,
                boolean timed,
                Description describer,
                @Nullable Throwable takenAt,
                ClientThreads threads,
                Function<Outcome, T> conversion,
                Consumer<Waiter> withdraw) {
            super(want, tryOnly, timed, null, takenAt);
            this.describer = describer;
            this.threads = threads;
            this.conversion = conversion;
            // Cancelled, or timed out by its owner: whatever ends the future before the engine does withdraws the
            // request.
            CompletableFuture<T> unused = result.whenComplete((value, fault) -> {
                if (outcome() == null) {
                    withdraw.accept(this);
                }
            });
        }

        @Override
        protected String description() {
            return describer.of("async");
        }

        CompletableFuture<T> result() {
            return result;
        }

        void timeoutBy(Future<?> timer) {
            timeout = timer;
            if (outcome() != null) {
                timer.cancel(false);
            }
        }

        @Override
        protected void settled() {
            Future<?> timer = timeout;
            if (timer != null) {
                timer.cancel(false);
            }
            threads.callback(this::complete);
        }

        private void complete() {
            Outcome outcome = outcome();
            if (result.isDone() && !(outcome instanceof Got)) {
                return;
            }
            if (outcome instanceof Failed failed) {
                result.completeExceptionally(failed.reason());
            } else if (outcome != null) {
                T value = conversion.apply(outcome);
                if (!result.complete(value)) {
                    release(value);
                }
            }
        }

        private static void release(Object value) {
            Object lease = value instanceof Optional<?> optional ? optional.orElse(null) : value;
            if (lease instanceof Lease granted) {
                CompletableFuture<ReleaseOutcome> unused = granted.releaseAsync();
            }
        }
    }
}
