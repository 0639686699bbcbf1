package dev.baton.internal.client;

import dev.baton.BatonClosedException;
import dev.baton.Lease;
import dev.baton.LockInfo;
import dev.baton.LockOptions;
import dev.baton.internal.Exceptions;
import dev.baton.internal.engine.HoldRequest;
import dev.baton.internal.engine.Waiter;
import java.time.Duration;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.Executor;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** The lock whose ownership is the lease. */
class LeaseLock extends TemplateLock {
    private final LeaseLocks locks;
    private final Waits waits;
    private final Share share;
    private final LockOptions options;
    private final HoldRequest request;

    /**
     * Creates a lock.
     *
     * @param share what it takes of which resource
     */
    LeaseLock(LeaseLocks locks, Share share, LockOptions options) {
        this.locks = locks;
        this.waits = locks.waits();
        this.share = share;
        this.options = options;
        this.request = locks.request(share, options);
    }

    LeaseLocks locks() {
        return locks;
    }

    @Override
    public long tokenIn(Lease lease) {
        if (lease instanceof OwnedLease own) {
            return own.tokenOf(waits, name());
        }
        throw new IllegalArgumentException("not a lease of Baton's: " + lease);
    }

    Waits waits() {
        return waits;
    }

    @Override
    final LockOptions options() {
        return options;
    }

    /** How long the store keeps a hold of it without a renewal. */
    long leaseNanos() {
        return request.leaseNanos();
    }

    Share share() {
        return share;
    }

    @Override
    public String name() {
        return share.resource().name();
    }

    @Override
    public LeaseLock with(LockOptions other) {
        return new LeaseLock(locks, share, other);
    }

    /** As {@link #acquire}, for callers that must not be interrupted. */
    LeaseHandle acquireUninterruptibly() {
        return granted(awaitQuietly(false, Waits.FOREVER));
    }

    @Override
    final LeaseHandle acquireInterruptibly() throws InterruptedException {
        return granted(await(false, false, Waits.FOREVER, true));
    }

    @Override
    public Optional<Lease> tryAcquire() {
        return Optional.ofNullable(tryOnce());
    }

    @Nullable
    LeaseHandle tryOnce() {
        return grantedOrNull(awaitQuietly(true, waits.storeTimeoutNanos()));
    }

    @Override
    final @Nullable LeaseHandle tryFor(Duration wait) throws InterruptedException {
        long waitNanos = Checks.waitNanos(wait);
        if (waitNanos == 0) {
            if (Thread.interrupted()) {
                throw new InterruptedException();
            }
            return tryOnce();
        }
        return grantedOrNull(await(false, true, waitNanos, true));
    }

    private Waiter.Outcome awaitQuietly(boolean tryOnly, long waitNanos) {
        try {
            return await(tryOnly, false, waitNanos, false);
        } catch (InterruptedException impossible) {
            throw new AssertionError("an uninterruptible wait was interrupted", impossible);
        }
    }

    private Waiter.Outcome await(boolean tryOnly, boolean timed, long waitNanos, boolean interruptible)
            throws InterruptedException {
        long start = waits.clock().nanos();
        long left = waitNanos;
        while (true) {
            Waiter waiter = new WaitingCallers.Parked(request, tryOnly, timed, waits.description(), waits.trace());
            Waiter.Outcome outcome = waits.await(share.resource(), waiter, left, interruptible);
            if (!(outcome instanceof Waiter.Got got) || waits.stands(got.grant())) {
                return outcome;
            }
            // The grant ended before this thread ran: asks again, rather than return a lease that is not held.
            waits.discardUnused(got.grant());
            left = waitNanos == Waits.FOREVER
                    ? waitNanos
                    : waitNanos - (waits.clock().nanos() - start);
            if (left <= 0) {
                return new Waiter.Busy();
            }
        }
    }

    private LeaseHandle granted(Waiter.Outcome outcome) {
        LeaseHandle lease = grantedOrNull(outcome);
        if (lease == null) {
            throw new IllegalStateException("an untimed caller was told that \"" + name() + "\" is busy");
        }
        return lease;
    }

    private @Nullable LeaseHandle grantedOrNull(Waiter.Outcome outcome) {
        if (outcome instanceof Waiter.Failed failed) {
            throw Exceptions.get().inThisThread(failed.reason());
        }
        return outcome instanceof Waiter.Got got ? locks.handle(got.grant()) : null;
    }

    @Override
    public CompletableFuture<Lease> acquireAsync() {
        return submit(false, Waits.FOREVER, this::granted);
    }

    @Override
    public CompletableFuture<Optional<Lease>> tryAcquireAsync(Duration wait) {
        long waitNanos = Checks.waitNanos(wait);
        boolean once = waitNanos == 0;
        return submit(
                once,
                once ? waits.storeTimeoutNanos() : waitNanos,
                outcome -> Optional.ofNullable(grantedOrNull(outcome)));
    }

    private <T> CompletableFuture<T> submit(boolean tryOnly, long waitNanos, Function<Waiter.Outcome, T> conversion) {
        boolean timed = waitNanos != Waits.FOREVER && !tryOnly;
        return submit(
                new WaitingCallers.Asking<>(waits, request, tryOnly, timed, conversion, new CompletableFuture<>()),
                waitNanos);
    }

    private <T> CompletableFuture<T> submit(WaitingCallers.Pending<T> pending, long waitNanos) {
        try {
            return pending.submit(share.resource(), waitNanos).result();
        } catch (BatonClosedException closed) {
            return CompletableFuture.failedFuture(closed);
        }
    }

    @Override
    public <T extends @Nullable Object> CompletableFuture<T> supplyAsync(Function<Lease, T> action) {
        return submit(new AsyncCall<>(locks, request, options, action, null), Waits.FOREVER);
    }

    @Override
    public <T extends @Nullable Object> CompletableFuture<T> supplyAsync(Function<Lease, T> action, Executor executor) {
        Objects.requireNonNull(executor, "executor");
        return submit(new AsyncCall<>(locks, request, options, action, executor), Waits.FOREVER);
    }

    @Override
    public <T extends @Nullable Object> CompletableFuture<T> callAsync(
            Function<Lease, ? extends CompletionStage<T>> action) {
        return submit(AsyncCall.ofStage(locks, request, options, action), Waits.FOREVER);
    }

    @Override
    public Optional<LockInfo> inspect() {
        return locks.admin().inspect(name());
    }

    @Override
    public String toString() {
        return "DistributedLock[" + name() + ']';
    }
}
