package dev.baton.bench;

import dev.baton.Baton;
import dev.baton.DistributedLock;
import dev.baton.Lease;
import dev.baton.bench.Contestant.Worker;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Supplier;
import org.redisson.api.RLock;
import org.redisson.api.RedissonClient;

/** Contestants for trials with many held locks, many waiting callers, or callers that time out. */
final class Crowds {
    /** The usual lease time. */
    private static final Duration LEASE = Duration.ofSeconds(30);

    private static final Duration LATE = LEASE.dividedBy(3);
    private static final int WAITERS = 10_000;
    private static final Duration PATIENCE = Duration.ofMillis(5);
    /** Redisson identifies callers by thread numbers; those of real threads are small. */
    private static final AtomicLong CALLERS = new AtomicLong(1L << 40);

    static final Contestant BATON_HOLDING = Contestants.baton(Crowds::holding);

    static final Contestant RLOCK_HOLDING = RedissonPeers.contestant("RLock", Crowds::holding);

    static final Contestant BATON_ASYNC = Contestants.baton(Crowds::waiting);

    static final Contestant RLOCK_ASYNC = RedissonPeers.contestant("RLock", Crowds::waiting);

    static final Contestant BATON_HASTY = Contestants.baton(Crowds::hasty);

    static final Contestant RLOCK_HASTY = RedissonPeers.contestant("RLock", Crowds::hasty);

    private Crowds() {}

    private static Worker holding(Baton baton, List<String> names) {
        List<Supplier<CompletableFuture<Lease>>> acquirers = names.stream()
                .map(baton::lock)
                .<Supplier<CompletableFuture<Lease>>>map(lock -> lock::acquireAsync)
                .toList();
        return new Holding<>(
                acquirers, lease -> lease.isHeld() && lease.remaining().compareTo(LATE) >= 0, Lease::releaseAsync);
    }

    private static Worker holding(RedissonClient redisson, List<String> names) {
        long caller = CALLERS.incrementAndGet();
        List<Supplier<CompletableFuture<RLock>>> acquirers = names.stream()
                .map(redisson::getLock)
                .<Supplier<CompletableFuture<RLock>>>map(lock ->
                        () -> lock.lockAsync(caller).toCompletableFuture().thenApply(done -> lock))
                .toList();
        // Only the server can tell whether its renewals are late.
        return new Holding<>(
                acquirers, lock -> true, lock -> lock.unlockAsync(caller).toCompletableFuture());
    }

    private static Worker waiting(Baton baton, List<String> names) {
        DistributedLock lock = baton.lock(names.get(0));
        return new AsyncWaiters(WAITERS, () -> lock.acquireAsync().thenCompose(Lease::releaseAsync));
    }

    private static Worker waiting(RedissonClient redisson, List<String> names) {
        RLock lock = redisson.getLock(names.get(0));
        return new AsyncWaiters(WAITERS, () -> {
            long caller = CALLERS.incrementAndGet();
            return lock.lockAsync(caller)
                    .thenCompose(done -> lock.unlockAsync(caller))
                    .toCompletableFuture();
        });
    }

    private static Worker hasty(Baton baton, List<String> names) {
        DistributedLock lock = baton.lock(names.get(0));
        return new TimedWorker(section -> {
            Optional<Lease> lease = lock.tryAcquire(PATIENCE);
            if (lease.isPresent()) {
                try {
                    section.run();
                } finally {
                    lease.get().release();
                }
            }
            return lease.isPresent();
        });
    }

    private static Worker hasty(RedissonClient redisson, List<String> names) {
        RLock lock = redisson.getLock(names.get(0));
        return new TimedWorker(section -> {
            boolean acquired = lock.tryLock(PATIENCE.toMillis(), TimeUnit.MILLISECONDS);
            if (acquired) {
                try {
                    section.run();
                } finally {
                    lock.unlock();
                }
            }
            return acquired;
        });
    }
}
