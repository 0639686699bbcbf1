package dev.baton.cli.run;

import dev.baton.Lease;
import java.time.Duration;
import java.util.Optional;

/**
 * The times by which a command under a lease is watched and ended. They depend on how long the store's last answer
 * makes the lease certain: the lease time on most stores, but never more than G; if holds belong to a session of their
 * client (ZooKeeper, etcd), a part of that session.
 *
 * @param leaseTime how long the lock may outlive this process
 * @param life how long the lease is certain at most without another answer of the store
 * @param grace how long the command gets between SIGTERM and SIGKILL
 */
record Terms(Duration leaseTime, Duration life, Duration grace) {
    /**
     * A command that catches SIGTERM gets at most a fifth of the time. A renewal is due when two thirds are left; the
     * time in between is for a late answer, for example while a cluster elects a leader.
     */
    private static final int GRACE_SHARE = 5;

    /**
     * How often the guardian hears that the lock is held: ten times in a life, so that a pause of this process is not a
     * loss.
     */
    private static final int WORDS_PER_LIFE = 10;

    private static final Duration LONGEST_TICK = Duration.ofSeconds(1);

    /**
     * The command must be gone a tenth of the time before the lock is, and not just in time. Finding and killing
     * processes takes time, and more of it on a machine so busy that renewals fail.
     */
    private static final int RESERVE_SHARE = 10;

    private static final Duration LARGEST_RESERVE = Duration.ofSeconds(1);

    /**
     * This process acts before the guardian by this part of the reserve. Otherwise the guardian could act first, and
     * the message would say that this process had been stopped.
     */
    private static final int EARLIER_SHARE = 4;

    /**
     * Asks the store to confirm the lease fully. A lock that was handed over is certain for only a few seconds, until
     * the store has heard from its new holder.
     *
     * @param leaseTime the lease time that was requested
     * @param killAfter the longest grace that the user wants
     * @return empty if the lease is lost
     * @throws dev.baton.StoreException if the store does not answer
     */
    static Optional<Terms> of(Lease lease, Duration leaseTime, Duration killAfter) {
        if (!lease.extend(leaseTime.dividedBy(2))) {
            return Optional.empty();
        }
        Duration life = lease.remaining();
        return life.isZero()
                ? Optional.empty()
                : Optional.of(new Terms(leaseTime, life, shorter(killAfter, life.dividedBy(GRACE_SHARE))));
    }

    /** Returns how long before its end the lock is treated as lost. */
    Duration reserve() {
        return shorter(life.dividedBy(RESERVE_SHARE), LARGEST_RESERVE);
    }

    /** Returns when to end the command: as soon as the lock, less the reserve, is certain for no longer than this. */
    Duration last() {
        return grace.plus(reserve().dividedBy(EARLIER_SHARE));
    }

    /** Returns how often to check the lease and tell the guardian. */
    Duration tick() {
        return shorter(life.dividedBy(WORDS_PER_LIFE), LONGEST_TICK);
    }

    static Duration shorter(Duration one, Duration other) {
        return one.compareTo(other) < 0 ? one : other;
    }
}
