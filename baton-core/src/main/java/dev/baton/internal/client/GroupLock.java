package dev.baton.internal.client;

import dev.baton.DistributedLock;
import dev.baton.Lease;
import dev.baton.LockInfo;
import dev.baton.LockOptions;
import dev.baton.internal.Exceptions;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.Executor;
import java.util.function.Function;
import java.util.function.LongSupplier;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * Several locks, each of one client, acquired one after the other in the order of their namespaces' identities and their
 * names' bytes. All callers keep this order, so callers who hold nothing else cannot wait for each other in a circle.
 */
final class GroupLock extends TemplateLock {
    /** The client of the lock that was given first: it keeps the time, and runs actions. */
    private final Waits home;

    /** In the order of their names' bytes. */
    private final List<Member> members;

    /** What concerns all of them: the hooks, and whether a loss interrupts. */
    private final LockOptions whole;

    /**
     * One of the locks.
     *
     * @param lock as it is acquired for the group
     * @param atLeast how long the store keeps it from the moment on in which all are held
     */
    private record Member(LeaseLock lock, Duration atLeast) {
        static Member of(LeaseLock lock) {
            // A member that is lost while others are awaited is acquired again, which its caller need not know. The
            // time
            // for which all are kept begins with the last one.
            LockOptions alone = lock.options().withInterruptOnLoss(false).withAtLeast(Duration.ZERO);
            return new Member(lock.with(alone), lock.options().atLeast());
        }

        Member with(LockOptions options) {
            return of(lock.with(options));
        }

        String name() {
            return lock.name();
        }
    }

    private GroupLock(Waits home, List<Member> members, LockOptions whole) {
        this.home = home;
        this.members = members;
        this.whole = whole;
        List<Member> unusedOrder = inOrder();
    }

    /** Makes one lock of several, perhaps of several clients, which all are Baton's own; groups may be among them. */
    static GroupLock of(List<? extends DistributedLock> given) {
        List<TemplateLock> locks = given.stream().map(GroupLock::own).toList();
        List<Member> members = locks.stream()
                .flatMap(GroupLock::membersOf)
                .sorted(Comparator.comparing(Member::name, Checks.BY_BYTES))
                .toList();
        if (members.isEmpty()) {
            throw new IllegalArgumentException("allOf needs at least one name");
        }
        return new GroupLock(homeOf(locks.get(0)), members, whole(locks));
    }

    private static TemplateLock own(DistributedLock lock) {
        if (Objects.requireNonNull(lock, "lock") instanceof TemplateLock own) {
            return own;
        }
        throw new IllegalArgumentException("allOf takes locks that a Baton client has made, but \"" + lock.name()
                + "\" is a " + lock.getClass().getName() + ": if it wraps one of Baton's, pass that one");
    }

    private static Stream<Member> membersOf(TemplateLock lock) {
        return lock instanceof GroupLock group ? group.members.stream() : Stream.of(Member.of((LeaseLock) lock));
    }

    private static Waits homeOf(TemplateLock lock) {
        return lock instanceof GroupLock group ? group.home : ((LeaseLock) lock).waits();
    }

    /** Each lock's own hooks run, in the order in which the locks were given. */
    private static LockOptions whole(List<TemplateLock> locks) {
        return locks.stream()
                .map(TemplateLock::options)
                .reduce((all, next) -> all.withInterruptOnLoss(all.interruptOnLoss() || next.interruptOnLoss())
                        .withBeforeAction(all.beforeAction().andThen(next.beforeAction()))
                        .withAfterRelease(all.afterRelease().andThen(next.afterRelease())))
                .orElseThrow();
    }

    @Override
    public String name() {
        return members.stream().map(Member::name).collect(Collectors.joining(", "));
    }

    @Override
    public long tokenIn(Lease lease) {
        throw new UnsupportedOperationException("each lock of a group has a token of its own: ask one of " + name());
    }

    @Override
    public GroupLock with(LockOptions other) {
        return new GroupLock(
                home, members.stream().map(each -> each.with(other)).toList(), other);
    }

    /** A lock with its place in the order, which is read once: a store that has forgotten its data may have a new one. */
    private record Placed(String namespaceId, Member member) {
        boolean isSameAs(Placed other) {
            return namespaceId.equals(other.namespaceId) && member.name().equals(other.member.name());
        }
    }

    /** Returns the order in which all clients acquire these locks now; refuses one that would wait for itself. */
    private List<Member> inOrder() {
        // The names are in order already, and stay so within each namespace.
        List<Placed> placed = members.stream()
                .map(each -> new Placed(each.lock().waits().namespaceId(), each))
                .sorted(Comparator.comparing(Placed::namespaceId))
                .toList();
        for (int i = 1; i < placed.size(); i++) {
            if (placed.get(i).isSameAs(placed.get(i - 1))) {
                throw new IllegalArgumentException(
                        "allOf was given \"" + placed.get(i).member().name() + "\" twice");
            }
        }
        return placed.stream().map(Placed::member).toList();
    }

    /** As {@link #inOrder}, for a request: with a client that is closed, it would end after the locks of others were held. */
    private List<Member> inOrderOfOpenClients() {
        members.forEach(each -> each.lock().waits().engine().requireOpen());
        return inOrder();
    }

    /** Makes a lease of all, and begins to use it; null if one is not held any more. */
    private @Nullable GroupLease together(List<Member> order, List<LeaseHandle> held, boolean interrupts) {
        GroupLease all = new GroupLease(name(), held).watched();
        boolean begun = all.stands();
        for (int i = 0; begun && i < held.size(); i++) {
            begun = held.get(i).begin(Checks.nanos(order.get(i).atLeast()));
        }
        if (begun && interrupts) {
            // Only now: a loss while others begin gives the group up, and must not interrupt a thread that asks again.
            held.forEach(LeaseHandle::interruptOnLoss);
        }
        return begun ? all : null;
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
            List<Member> order = inOrderOfOpenClients();
            List<LeaseHandle> held = new ArrayList<>();
            try {
                for (Member member : order) {
                    LeaseHandle lease = step.of(member.lock());
                    if (lease == null) {
                        return null;
                    }
                    held.add(lease);
                }
                GroupLease all = together(order, held, whole.interruptOnLoss());
                if (all != null) {
                    held = List.of();
                    return all;
                }
            } finally {
                giveBack(held);
            }
        }
    }

    /** Waits for no answer: each name would cost a round trip, and the store's time limit while it is silent. */
    private static void giveBack(List<LeaseHandle> held) {
        for (int i = held.size() - 1; i >= 0; i--) {
            held.get(i).giveBack();
        }
    }

    @Override
    LockOptions options() {
        return whole;
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
        LongSupplier left = left(waitNanos);
        return gather(member -> {
            long nanos = left.getAsLong();
            return nanos <= 0 ? null : member.tryFor(Duration.ofNanos(nanos));
        });
    }

    private LongSupplier left(long waitNanos) {
        long start = home.clock().nanos();
        return () -> waitNanos - (home.clock().nanos() - start);
    }

    /** A thread that holds one of the names would wait for itself, and keep the others from all clients meanwhile. */
    private void requireNoneOfThisThread() {
        for (Member member : members) {
            if (member.lock().waits().engine().holds(Thread.currentThread(), member.name())) {
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
        private List<Member> order = List.of();
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
            CompletableFuture<Optional<Lease>> current = asked();
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

        /** Asks for the next member. An exception, as after a close, must end the whole request. */
        private CompletableFuture<Optional<Lease>> asked() {
            try {
                if (held.isEmpty()) {
                    order = inOrderOfOpenClients();
                }
                return step.apply(order.get(held.size()).lock());
            } catch (Throwable refusal) {
                return CompletableFuture.failedFuture(refusal);
            }
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
            GroupLease all = together(order, held, false);
            if (all == null) {
                giveUp();
                next();
            } else if (!result.complete(Optional.of(all))) {
                giveUp();
            }
        }

        private void giveUp() {
            giveBack(held);
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
        LongSupplier left = left(waitNanos);
        return new Gathering(member -> {
                    long nanos = waitNanos == 0 ? 0 : left.getAsLong();
                    return waitNanos > 0 && nanos <= 0
                            ? CompletableFuture.completedFuture(Optional.empty())
                            : member.tryAcquireAsync(Duration.ofNanos(nanos));
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
        if (lease instanceof OwnedLease single) {
            single.giveBack();
        } else if (lease instanceof Optional<?> perhaps) {
            perhaps.ifPresent(GroupLock::release);
        }
    }

    // ---- templates -----------------------------------------------------------------------------------------------

    @Override
    public <T extends @Nullable Object> CompletableFuture<T> supplyAsync(Function<Lease, T> action) {
        return new Call<T>(Objects.requireNonNull(action, "action"), null, false).begin();
    }

    @Override
    public <T extends @Nullable Object> CompletableFuture<T> supplyAsync(Function<Lease, T> action, Executor executor) {
        Objects.requireNonNull(executor, "executor");
        return new Call<T>(Objects.requireNonNull(action, "action"), executor, false).begin();
    }

    @Override
    public <T extends @Nullable Object> CompletableFuture<T> callAsync(
            Function<Lease, ? extends CompletionStage<T>> action) {
        return new Call<T>(Template.stage(action), null, true).begin();
    }

    /** An action under all names, which are acquired without a waiting thread. */
    private final class Call<T extends @Nullable Object> {
        private final CompletableFuture<T> result = new CompletableFuture<>();
        private final Function<Lease, ?> action;
        private final @Nullable Executor executor;
        private final boolean unwraps;
        private volatile @Nullable CompletableFuture<Lease> asking;

        Call(Function<Lease, ?> action, @Nullable Executor executor, boolean unwraps) {
            this.action = action;
            this.executor = executor;
            this.unwraps = unwraps;
        }

        CompletableFuture<T> begin() {
            CompletableFuture<T> unused = result.whenComplete((value, fault) -> {
                CompletableFuture<Lease> current = asking;
                if (current != null) {
                    current.cancel(false);
                }
            });
            ask();
            return result;
        }

        private void ask() {
            CompletableFuture<Lease> current = acquireAsync();
            asking = current;
            if (result.isDone()) {
                current.cancel(false);
            }
            CompletableFuture<Lease> unused = current.whenComplete((lease, fault) -> {
                if (fault == null) {
                    threads().act(new Action((GroupLease) lease), executor);
                } else {
                    result.completeExceptionally(fault);
                }
            });
        }

        /** The action on its way to a thread. Until it runs, only this delivery can release the lease. */
        private final class Action extends Delivery {
            private final GroupLease lease;

            Action(GroupLease lease) {
                super(leaseNanos());
                this.lease = lease;
            }

            @Override
            void deliver() {
                if (!result.isDone() && lease.stands()) {
                    new Template(whole, lease).perform(action, unwraps, threads(), result);
                    return;
                }
                release(lease);
                if (!result.isDone()) {
                    // It was lost before this thread ran.
                    ask();
                }
            }

            @Override
            void giveUp(String why) {
                release(lease);
                String message = '"' + name() + "\" was granted and given back: " + why;
                threads()
                        .completeHere(() ->
                                result.completeExceptionally(Exceptions.get().store(message)));
            }
        }
    }

    private ClientThreads threads() {
        return home.threads();
    }

    /** Returns for how long all are kept without a renewal. */
    private long leaseNanos() {
        return members.stream()
                .mapToLong(each -> each.lock().leaseNanos())
                .min()
                .orElseThrow();
    }

    // ---- questions -----------------------------------------------------------------------------------------------

    /** Describes all names in one: whoever holds one of them, and whoever waits for one. */
    @Override
    public Optional<LockInfo> inspect() {
        List<LockInfo> found =
                members.stream().flatMap(each -> each.lock().inspect().stream()).toList();
        return found.isEmpty()
                ? Optional.empty()
                : Optional.of(new LockInfo(
                        name(),
                        LockInfo.Kind.LOCK,
                        found.stream().flatMap(each -> each.holders().stream()).toList(),
                        found.stream().flatMap(each -> each.waiters().stream()).toList(),
                        found.stream()
                                .map(LockInfo::keptFor)
                                .max(Comparator.naturalOrder())
                                .orElseThrow(),
                        0));
    }

    @Override
    public String toString() {
        return "DistributedLock[" + name() + ']';
    }
}
