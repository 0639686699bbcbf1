package dev.baton.internal.client;

import dev.baton.BatonClosedException;
import dev.baton.DistributedLock;
import dev.baton.Lease;
import dev.baton.LockInfo;
import dev.baton.LockOptions;
import dev.baton.internal.Exceptions;
import dev.baton.internal.engine.HoldRequest;
import dev.baton.internal.engine.Waiter;
import dev.baton.spi.Resource;
import java.time.Duration;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.Executor;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** The lock whose ownership is the lease. */
final class LeaseLock implements DistributedLock {
    private final BatonClient client;
    private final Resource id;
    private final LockOptions options;
    private final HoldRequest request;

    LeaseLock(BatonClient client, Resource id, LockOptions options, HoldRequest request) {
        this.client = client;
        this.id = id;
        this.options = options;
        this.request = request;
    }

    @Override
    public String name() {
        return id.name();
    }

    @Override
    public DistributedLock with(LockOptions other) {
        return client.lock(name(), other);
    }

    @Override
    public Lease acquire() throws InterruptedException {
        return granted(await(false, false, BatonClient.FOREVER, true));
    }

    /** As {@link #acquire}, for callers that must not be interrupted. */
    LeaseHandle acquireUninterruptibly() {
        return granted(awaitQuietly(false, BatonClient.FOREVER));
    }

    LeaseHandle acquireInterruptibly() throws InterruptedException {
        return granted(await(false, false, BatonClient.FOREVER, true));
    }

    @Override
    public Optional<Lease> tryAcquire() {
        return Optional.ofNullable(grantedOrNull(awaitQuietly(true, client.storeTimeoutNanos())));
    }

    @Nullable
    LeaseHandle tryOnce() {
        return grantedOrNull(awaitQuietly(true, client.storeTimeoutNanos()));
    }

    @Override
    public Optional<Lease> tryAcquire(Duration wait) throws InterruptedException {
        return Optional.ofNullable(tryFor(wait));
    }

    @Nullable
    LeaseHandle tryFor(Duration wait) throws InterruptedException {
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
        long start = client.clock().nanos();
        long left = waitNanos;
        while (true) {
            Waiter waiter = new WaitingCallers.Parked(request, tryOnly, timed, client.description(), client.trace());
            Waiter.Outcome outcome = client.await(id, waiter, left, interruptible);
            if (!(outcome instanceof Waiter.Got got) || client.stands(got.grant())) {
                return outcome;
            }
            // The grant ended before this thread ran: asks again, rather than return a lease that is not held.
            client.discard(got.grant());
            left = waitNanos == BatonClient.FOREVER
                    ? waitNanos
                    : waitNanos - (client.clock().nanos() - start);
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
        return outcome instanceof Waiter.Got got ? client.handle(got.grant()) : null;
    }

    @Override
    public CompletableFuture<Lease> acquireAsync() {
        return submit(false, BatonClient.FOREVER, this::granted);
    }

    @Override
    public CompletableFuture<Optional<Lease>> tryAcquireAsync(Duration wait) {
        long waitNanos = Checks.waitNanos(wait);
        boolean once = waitNanos == 0;
        return submit(
                once,
                once ? client.storeTimeoutNanos() : waitNanos,
                outcome -> Optional.ofNullable(grantedOrNull(outcome)));
    }

    private <T> CompletableFuture<T> submit(boolean tryOnly, long waitNanos, Function<Waiter.Outcome, T> conversion) {
        boolean timed = waitNanos != BatonClient.FOREVER && !tryOnly;
        return submit(
                new WaitingCallers.Asking<>(client, request, tryOnly, timed, conversion, new CompletableFuture<>()),
                waitNanos);
    }

    private <T> CompletableFuture<T> submit(WaitingCallers.Pending<T> pending, long waitNanos) {
        try {
            return client.submit(id, pending, waitNanos).result();
        } catch (BatonClosedException closed) {
            return CompletableFuture.failedFuture(closed);
        }
    }

    @Override
    public <X extends Throwable> void run(LeaseAction<X> action) throws X, InterruptedException {
        call(nothing(action));
    }

    @SuppressWarnings("NullAway") // an action that returns nothing has no result
    private static <X extends Throwable> LeaseFunction<@Nullable Object, X> nothing(LeaseAction<X> action) {
        return lease -> {
            action.accept(lease);
            return null;
        };
    }

    @Override
    public <T extends @Nullable Object, X extends Throwable> T call(LeaseFunction<T, X> action)
            throws X, InterruptedException {
        return under(acquireInterruptibly(), action);
    }

    @Override
    public <X extends Throwable> boolean tryRun(Duration wait, LeaseAction<X> action) throws X, InterruptedException {
        LeaseHandle lease = tryFor(wait);
        if (lease != null) {
            under(lease, nothing(action));
        }
        return lease != null;
    }

    @Override
    public <T, X extends Throwable> Optional<T> tryCall(Duration wait, LeaseFunction<T, X> action)
            throws X, InterruptedException {
        LeaseHandle lease = tryFor(wait);
        if (lease == null) {
            return Optional.empty();
        }
        return Optional.of(Objects.requireNonNull(
                under(lease, action), "the action of tryCall must not return null: empty means that it did not run"));
    }

    private <T extends @Nullable Object, X extends Throwable> T under(LeaseHandle lease, LeaseFunction<T, X> action)
            throws X {
        return new Template(options, lease).run(action);
    }

    @Override
    public <T extends @Nullable Object> CompletableFuture<T> supplyAsync(Function<Lease, T> action) {
        return submit(new AsyncCall<>(client, request, options, action, null), BatonClient.FOREVER);
    }

    @Override
    public <T extends @Nullable Object> CompletableFuture<T> supplyAsync(Function<Lease, T> action, Executor executor) {
        Objects.requireNonNull(executor, "executor");
        return submit(new AsyncCall<>(client, request, options, action, executor), BatonClient.FOREVER);
    }

    @Override
    public <T extends @Nullable Object> CompletableFuture<T> callAsync(
            Function<Lease, ? extends CompletionStage<T>> action) {
        return submit(AsyncCall.ofStage(client, request, options, action), BatonClient.FOREVER);
    }

    @Override
    public Optional<LockInfo> inspect() {
        return client.admin().inspect(name());
    }

    @Override
    public String toString() {
        return "DistributedLock[" + name() + ']';
    }
}
