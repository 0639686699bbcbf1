package dev.baton.shedlock;

import dev.baton.Baton;
import dev.baton.BatonException;
import dev.baton.Lease;
import dev.baton.LockOptions;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;
import net.javacrumbs.shedlock.core.AbstractSimpleLock;
import net.javacrumbs.shedlock.core.ClockProvider;
import net.javacrumbs.shedlock.core.ExtensibleLockProvider;
import net.javacrumbs.shedlock.core.LockConfiguration;
import net.javacrumbs.shedlock.core.LockProvider;
import net.javacrumbs.shedlock.core.SimpleLock;

/**
 * Keeps ShedLock's locks in any store of Baton: jobs with {@code @SchedulerLock} need no change.
 *
 * <pre>{@code
 * LockProvider provider = new BatonLockProvider(baton);
 * }</pre>
 *
 * <ul>
 *   <li>{@code lockAtMostFor} is the lease time. The lease is not renewed: ShedLock's {@code KeepAliveLockProvider} extends
 *       it, if it is put around this one
 *   <li>{@code lockAtLeastFor} is kept by the store, also if this process dies or closes the client
 *   <li>times are durations of the store's own clock: the clocks of the nodes may differ
 *   <li>a store that does not answer is a {@link BatonException}, not a job that another node runs
 * </ul>
 *
 * <p>Thread-safe. Any thread may unlock.
 *
 * @since 0.1
 */
public final class BatonLockProvider implements ExtensibleLockProvider {
    private final Baton baton;

    /**
     * Creates a provider.
     *
     * @param baton the client, which this object does not close
     */
    public BatonLockProvider(Baton baton) {
        this.baton = baton;
    }

    /**
     * Acquires a lock, without waiting.
     *
     * @param configuration its name, which has 1 to 1024 bytes of UTF-8, and its times
     * @return the lock, or empty if another node has it or it is still kept
     * @throws BatonException if the store does not answer; it is unknown then whether another node runs the job
     * @throws IllegalArgumentException if {@code lockAtMostFor} is shorter than {@link Baton#shortestLease()}
     */
    @Override
    public Optional<SimpleLock> lock(LockConfiguration configuration) {
        LockOptions options = LockOptions.defaults()
                .withLeaseTime(configuration.getLockAtMostFor())
                .withAtLeast(configuration.getLockAtLeastFor());
        return baton.lock(configuration.getName(), options)
                .tryAcquire()
                .map(lease -> new Held(configuration, lease, Instant.MIN));
    }

    /**
     * Returns a provider for the time in which a fleet moves: a node that uses it excludes nodes with the former provider and
     * nodes with this one, because it takes both locks.
     *
     * <p>First give all nodes that provider; when no node has the former one alone, give them this one alone.
     *
     * @param former the provider that the fleet used before
     * @return a provider whose locks can be extended if both can be
     */
    public ExtensibleLockProvider whileMovingFrom(LockProvider former) {
        return new Moving(former, this);
    }

    /** One hold. An extension makes another object of the same lease, as ShedLock wants it. */
    private static final class Held extends AbstractSimpleLock {
        private final Lease lease;

        /** Until when it was extended at least, by the clock of this node as ShedLock reads it. */
        private final Instant keptUntil;

        Held(LockConfiguration configuration, Lease lease, Instant keptUntil) {
            super(configuration);
            this.lease = lease;
            this.keptUntil = keptUntil;
        }

        @Override
        protected void doUnlock() {
            Duration left = Duration.between(ClockProvider.now(), keptUntil);
            if (left.isNegative() || left.isZero()) {
                lease.close();
            } else {
                Object unused = lease.releaseAndKeep(left);
            }
        }

        @Override
        protected Optional<SimpleLock> doExtend(LockConfiguration longer) {
            return lease.extend(longer.getLockAtMostFor())
                    ? Optional.of(new Held(longer, lease, longer.getLockAtLeastUntil()))
                    : Optional.empty();
        }
    }
}
