package dev.baton.internal.client;

import dev.baton.Lease;
import dev.baton.LockInfo;
import dev.baton.LockOptions;
import dev.baton.internal.Exceptions;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.Executor;
import java.util.concurrent.RejectedExecutionException;
import java.util.function.Function;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * Several locks of one namespace, acquired one after the other in the order of their names' bytes. All callers keep this
 * order, so callers who hold nothing else cannot wait for each other in a circle.
 */
final class GroupLock extends TemplateLock {
    private final LeaseLocks locks;
    private final List<LeaseLock> members;
    private final LockOptions options;

    /**
     * Creates a group.
     *
     * @param members in the order in which they are acquired, each name once
     */
    GroupLock(LeaseLocks locks, List<LeaseLock> members, LockOptions options) {
        this.locks = locks;
        this.members = members;
        this.options = options;
    }

    @Override
    public String name() {
        return members.stream().map(LeaseLock::name).collect(Collectors.joining(", "));
    }

    @Override
    public GroupLock with(LockOptions other) {
        return new GroupLock(
                locks, members.stream().map(each -> each.with(other)).toList(), other);
    }

    // ---- on the calling thread -----------------------------------------------------------------------------------

    /** How one member is acquired; null if it is busy. */
    private interface Step {
        @Nullable
        LeaseHandle of(LeaseLock member) throws InterruptedException;
    }

    /** Acquires all, or none: null if one is busy. Starts anew if one is lost while the others are awaited. */
    private @Nullable GroupLease gather(Step step) throws InterruptedException {
        while (true) {
            List<LeaseHandle> held = new ArrayList<>();
            try {
                for (LeaseLock member : members) {
                    LeaseHandle lease = step.of(member);
                    if (lease == null) {
                        return null;
                    }
                    held.add(lease);
                }
                GroupLease all = new GroupLease(held).watched();
                if (all.isHeld()) {
                    held = List.of();
                    return all;
                }
            } finally {
                giveBack(held);
            }
        }
    }

    /** The last one first, as nested blocks would. */
    private static void giveBack(List<LeaseHandle> held) {
        for (int i = held.size() - 1; i >= 0; i--) {
            held.get(i).close();
        }
    }

    @Override
    LockOptions options() {
        return options;
    }

    @Override
    GroupLease acquireInterruptibly() throws InterruptedException {
        requireNoneOfThisThread();
        return Objects.requireNonNull(gather(LeaseLock::acquireInterruptibly), "an untimed caller found one busy");
    }

    @Override
    @Nullable
    GroupLease tryFor(Duration wait) throws InterruptedException {
        requireNoneOfThisThread();
        long waitNanos = Checks.waitNanos(wait);
        if (waitNanos == 0) {
            if (Thread.interrupted()) {
                throw new InterruptedException();
            }
            return gather(LeaseLock::tryOnce);
        }
        long start = locks.waits().clock().nanos();
        return gather(member -> {
            long left = waitNanos - (locks.waits().clock().nanos() - start);
            return left <= 0 ? null : member.tryFor(Duration.ofNanos(left));
        });
    }

    /** A thread that holds one of the names would wait for itself, and keep the others from everybody meanwhile. */
    private void requireNoneOfThisThread() {
        for (LeaseLock member : members) {
            if (locks.waits().engine().holds(Thread.currentThread(), member.name())) {
                throw Exceptions.get()
                        .other(
                                "this thread holds \"" + member.name() + "\" and asks for it together with others ("
                                        + name() + "): it would wait for itself; release that lease first",
                                null);
            }
        }
    }

    @Override
    public Optional<Lease> tryAcquire() {
        requireNoneOfThisThread();
        try {
            return Optional.ofNullable(gather(LeaseLock::tryOnce));
        } catch (InterruptedException impossible) {
            throw new AssertionError("an uninterruptible wait was interrupted", impossible);
        }
    }

    // ---- without a thread ----------------------------------------------------------------------------------------

    /**
     * One asynchronous request for all. Each answer starts the next step; what is held when the request ends is released.
     * Only one step runs at a time, so the fields need no lock: a future orders its steps.
     */
    private final class Gathering {
        private final CompletableFuture<Optional<Lease>> result = new CompletableFuture<>();
        private final Function<LeaseLock, CompletableFuture<Optional<Lease>>> step;
        private final List<LeaseHandle> held = new ArrayList<>();
        private volatile @Nullable CompletableFuture<Optional<Lease>> asking;

        Gathering(Function<LeaseLock, CompletableFuture<Optional<Lease>>> step) {
            this.step = step;
            CompletableFuture<Optional<Lease>> unused = result.whenComplete((lease, fault) -> {
                CompletableFuture<Optional<Lease>> current = asking;
                if (current != null) {
                    current.cancel(false);
                }
            });
        }

        CompletableFuture<Optional<Lease>> begin() {
            next();
            return result;
        }

        private void next() {
            CompletableFuture<Optional<Lease>> current = step.apply(members.get(held.size()));
            asking = current;
            if (result.isDone()) {
                current.cancel(false);
            }
            CompletableFuture<Optional<Lease>> unused = current.whenComplete((lease, fault) -> {
                if (fault != null) {
                    giveUp();
                    result.completeExceptionally(fault);
                } else {
                    answered(lease);
                }
            });
        }

        private void answered(Optional<Lease> lease) {
            if (lease.isEmpty()) {
                giveUp();
                result.complete(lease);
                return;
            }
            held.add((LeaseHandle) lease.get());
            if (result.isDone()) {
                giveUp();
            } else if (held.size() < members.size()) {
                next();
            } else {
                end();
            }
        }

        private void end() {
            GroupLease all = new GroupLease(held).watched();
            if (!all.isHeld()) {
                giveUp();
                next();
            } else if (!result.complete(Optional.of(all))) {
                giveUp();
            }
        }

        private void giveUp() {
            for (int i = held.size() - 1; i >= 0; i--) {
                CompletableFuture<?> unused = held.get(i).releaseAsync();
            }
            held.clear();
        }
    }

    @Override
    public CompletableFuture<Lease> acquireAsync() {
        CompletableFuture<Optional<Lease>> all =
                new Gathering(member -> cancelling(member.acquireAsync(), Optional::of)).begin();
        return cancelling(all, Optional::orElseThrow);
    }

    @Override
    public CompletableFuture<Optional<Lease>> tryAcquireAsync(Duration wait) {
        long waitNanos = Checks.waitNanos(wait);
        long start = locks.waits().clock().nanos();
        return new Gathering(member -> {
                    long left = waitNanos - (locks.waits().clock().nanos() - start);
                    return waitNanos > 0 && left <= 0
                            ? CompletableFuture.completedFuture(Optional.empty())
                            : member.tryAcquireAsync(Duration.ofNanos(waitNanos == 0 ? 0 : left));
                })
                .begin();
    }

    /** Returns a future of the converted result. Cancelling it cancels the source; a lease that came first is released. */
    private static <S, T> CompletableFuture<T> cancelling(CompletableFuture<S> source, Function<S, T> conversion) {
        CompletableFuture<T> converted = new CompletableFuture<>();
        CompletableFuture<S> unused = source.whenComplete((value, fault) -> {
            if (fault != null) {
                converted.completeExceptionally(fault);
            } else if (!converted.complete(conversion.apply(value))) {
                release(value);
            }
        });
        CompletableFuture<T> unusedToo = converted.whenComplete((value, fault) -> source.cancel(false));
        return converted;
    }

    private static void release(Object lease) {
        if (lease instanceof Lease single) {
            CompletableFuture<?> unused = single.releaseAsync();
        } else if (lease instanceof Optional<?> perhaps) {
            perhaps.ifPresent(GroupLock::release);
        }
    }

    // ---- templates -----------------------------------------------------------------------------------------------

    @Override
    public <T extends @Nullable Object> CompletableFuture<T> supplyAsync(Function<Lease, T> action) {
        return supplyAsync(action, Runnable::run);
    }

    @Override
    public <T extends @Nullable Object> CompletableFuture<T> supplyAsync(Function<Lease, T> action, Executor executor) {
        Objects.requireNonNull(executor, "executor");
        return under(Objects.requireNonNull(action, "action"), executor, false);
    }

    @Override
    public <T extends @Nullable Object> CompletableFuture<T> callAsync(
            Function<Lease, ? extends CompletionStage<T>> action) {
        return under(Template.stage(action), Runnable::run, true);
    }

    /** Runs an action where the lease is delivered, or on an executor, and releases once it has ended. */
    private <T extends @Nullable Object> CompletableFuture<T> under(
            Function<Lease, ?> action, Executor executor, boolean unwraps) {
        CompletableFuture<T> result = new CompletableFuture<>();
        CompletableFuture<Lease> acquiring = acquireAsync();
        CompletableFuture<T> unused = result.whenComplete((value, fault) -> acquiring.cancel(false));
        CompletableFuture<Lease> unusedToo = acquiring.whenComplete((lease, fault) -> {
            if (fault != null) {
                result.completeExceptionally(fault);
                return;
            }
            try {
                executor.execute(() -> act((GroupLease) lease, action, unwraps, result));
            } catch (RejectedExecutionException refused) {
                release(lease);
                result.completeExceptionally(Exceptions.get()
                        .store("\"" + name() + "\" was granted and given back: the executor refused the action"));
            }
        });
        return result;
    }

    private <T extends @Nullable Object> void act(
            GroupLease lease, Function<Lease, ?> action, boolean unwraps, CompletableFuture<T> result) {
        if (result.isDone()) {
            // Cancelled while an executor had the action.
            release(lease);
            return;
        }
        new Template(options, lease).perform(action, unwraps, locks.waits().threads(), result);
    }

    // ---- questions -----------------------------------------------------------------------------------------------

    /** Describes all names in one: whoever holds one of them, and whoever waits for one. */
    @Override
    public Optional<LockInfo> inspect() {
        List<LockInfo> found =
                members.stream().flatMap(each -> each.inspect().stream()).toList();
        return found.isEmpty()
                ? Optional.empty()
                : Optional.of(new LockInfo(
                        name(),
                        LockInfo.Kind.LOCK,
                        found.stream().flatMap(each -> each.holders().stream()).toList(),
                        found.stream().flatMap(each -> each.waiters().stream()).toList()));
    }

    @Override
    public String toString() {
        return "DistributedLock[" + name() + ']';
    }
}
