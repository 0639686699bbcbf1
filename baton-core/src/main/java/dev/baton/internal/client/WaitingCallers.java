package dev.baton.internal.client;

import dev.baton.BatonClosedException;
import dev.baton.BatonEvent;
import dev.baton.ReleaseOutcome;
import dev.baton.internal.Exceptions;
import dev.baton.internal.engine.Grant;
import dev.baton.internal.engine.HoldRequest;
import dev.baton.internal.engine.Outbox;
import dev.baton.internal.engine.Releasing;
import dev.baton.internal.engine.Waiter;
import dev.baton.spi.Resource;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Future;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** The two ways to wait: a parked thread, and a future. */
final class WaitingCallers {
    private WaitingCallers() {}

    /** Rethrows the action's exception unchanged; the action's signature allows it. */
    @SuppressWarnings("unchecked")
    static <X extends Throwable> void rethrow(Throwable thrown) throws X {
        throw (X) thrown;
    }

    /** A thread that parks until its outcome is there. */
    static final class Parked extends Waiter {
        private final Thread caller;

        private final Description describer;

        Parked(
                HoldRequest request,
                boolean tryOnly,
                boolean timed,
                Description describer,
                @Nullable Throwable takenAt) {
            super(request, tryOnly, timed, Thread.currentThread(), takenAt);
            this.caller = Thread.currentThread();
            this.describer = describer;
        }

        @Override
        protected String description() {
            return describer.of(caller);
        }

        @Override
        protected void settled() {
            // A caller that settles itself no longer parks: the permit would end a later park of its thread.
            if (Thread.currentThread() != caller) {
                LockSupport.unpark(caller);
            }
        }
    }

    /**
     * A future. If it ends before the engine completes it, the request is withdrawn, and a grant that came first is
     * released.
     *
     * @param <T> the type of the future's result
     */
    abstract static class Pending<T> extends Waiter {
        final CompletableFuture<T> result;
        final Waits waits;
        final ClientThreads threads;
        private final Description describer;
        private volatile @Nullable Future<?> timeout;
        private volatile @Nullable Submitted submitted;

        /** The request: its resource, its start, and how long to wait. */
        private record Submitted(Resource id, long startNanos, long waitNanos) {}

        /**
         * Creates the waiter of a future.
         *
         * @param waits the waits of its client
         * @param request the terms of the hold
         * @param tryOnly whether to fail at once if the lock is not free
         * @param timed whether it has a deadline of its own
         * @param result the future
         */
        Pending(Waits waits, HoldRequest request, boolean tryOnly, boolean timed, CompletableFuture<T> result) {
            super(request, tryOnly, timed, null, waits.trace());
            this.waits = waits;
            this.result = result;
            this.describer = waits.description();
            this.threads = waits.threads();
            CompletableFuture<T> unused = result.whenComplete((value, fault) -> {
                if (outcome() == null) {
                    waits.withdraw(this, BatonEvent.Reason.CANCELLED);
                }
            });
        }

        @Override
        protected final String description() {
            return describer.ofAsync();
        }

        final CompletableFuture<T> result() {
            return result;
        }

        /** Asks for the lock. */
        final Pending<T> submit(Resource id, long waitNanos) {
            submitted = new Submitted(id, waits.clock().nanos(), waitNanos);
            waitsFor(waitNanos);
            waits.begin(id, this);
            if (waitNanos != Waits.FOREVER && outcome() == null) {
                timeoutBy(threads.schedule(() -> waits.withdraw(this, BatonEvent.Reason.TIMED_OUT), waitNanos));
            }
            return this;
        }

        /** Asks again, within the rest of the time: the grant was over before it was delivered. */
        private void submitAnew() {
            Submitted first = Objects.requireNonNull(submitted, "not submitted");
            boolean forever = first.waitNanos() == Waits.FOREVER;
            long left =
                    forever ? Waits.FOREVER : first.waitNanos() - (waits.clock().nanos() - first.startNanos());
            if (left <= 0) {
                refused(new Busy());
                return;
            }
            try {
                Pending<T> unused = anew().submit(first.id(), left);
            } catch (BatonClosedException closed) {
                refused(new Failed(closed));
            }
        }

        private void timeoutBy(Future<?> timer) {
            timeout = timer;
            if (outcome() != null) {
                timer.cancel(false);
            }
        }

        @Override
        protected final void settled() {
            Future<?> timer = timeout;
            if (timer != null) {
                timer.cancel(false);
            }
            Outcome outcome = outcome();
            if (outcome instanceof Got got) {
                granted(new Handing(got.grant()));
            } else if (outcome != null) {
                threads.complete(() -> refused(outcome));
            }
        }

        /** Returns a new waiter with the same request, for the same future. */
        abstract Pending<T> anew();

        /** Starts the delivery of a grant on a thread that may run user code. */
        abstract void granted(Delivery delivery);

        /** Takes the grant; runs user code. */
        abstract void take(Grant grant);

        /** Completes the future without a grant. */
        abstract void refused(Outcome outcome);

        /** A grant on its way to user code. Until user code has it, only this delivery can release it. */
        private final class Handing extends Delivery {
            private final Grant grant;

            Handing(Grant grant) {
                super(request.leaseNanos());
                this.grant = grant;
            }

            @Override
            void deliver() {
                if (waits.stands(grant)) {
                    take(grant);
                } else {
                    // The grant ended before this thread ran: asks again, rather than deliver a lease that is not held.
                    waits.discardUnused(grant);
                    submitAnew();
                }
            }

            @Override
            void giveUp(String why) {
                release(grant);
                String message = "\"" + grant.name() + "\" was granted and given back: " + why;
                threads.completeHere(
                        () -> result.completeExceptionally(Exceptions.get().store(message)));
            }
        }

        final void release(Grant grant) {
            Outbox out = new Outbox();
            ReleaseOutcome unused = waits.engine().release(grant, Releasing.ofUnused(), out);
            out.flush(threads);
        }
    }

    /**
     * A future with the result that a blocking caller would get.
     *
     * @param <T> Lease or Optional of Lease
     */
    static final class Asking<T> extends Pending<T> {
        private final Function<Outcome, T> conversion;

        Asking(
                Waits waits,
                HoldRequest request,
                boolean tryOnly,
                boolean timed,
                Function<Outcome, T> conversion,
                CompletableFuture<T> result) {
            super(waits, request, tryOnly, timed, result);
            this.conversion = conversion;
        }

        @Override
        Pending<T> anew() {
            return new Asking<>(waits, request, tryOnly, timed, conversion, result);
        }

        @Override
        void granted(Delivery delivery) {
            threads.complete(delivery);
        }

        @Override
        void take(Grant grant) {
            if (!result.complete(conversion.apply(Objects.requireNonNull(outcome())))) {
                release(grant);
            }
        }

        @Override
        void refused(Outcome outcome) {
            if (result.isDone()) {
                // Cancelled: no caller is left.
                return;
            }
            if (outcome instanceof Failed failed) {
                result.completeExceptionally(failed.reason());
            } else {
                result.complete(conversion.apply(outcome));
            }
        }
    }
}
