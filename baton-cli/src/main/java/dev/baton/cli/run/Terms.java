package dev.baton.cli.run;

import dev.baton.Lease;
import java.time.Duration;
import java.util.Optional;

/**
 * The times by which a command under a lease is watched and ended. They follow from how long the store's last answer
 * makes the lease sure: the lease time on most stores, but never more than G, and where holds belong to a session of
 * their client (ZooKeeper, etcd) a part of that session.
 *
 * @param leaseTime how long the lock may outlive this process
 * @param life how long the lease is sure at most without another answer of the store
 * @param grace how long the command gets between SIGTERM and SIGKILL
 */
record Terms(Duration leaseTime, Duration life, Duration grace) {
    /**
     * A command that catches SIGTERM gets at most a fifth of the time. A renewal is due when two thirds are left: the
     * time between is for an answer that comes late, as while a cluster elects a leader.
     */
    private static final int GRACE_SHARE = 5;

    /** How often the guardian hears that all is well; ten times in a life, so that a stall of this process is not a loss. */
    private static final int WORDS_PER_LIFE = 10;

    private static final Duration LONGEST_TICK = Duration.ofSeconds(1);

    /**
     * The command is to be gone a tenth of the time before the lock is, and not just in time: to look through all
     * processes and to kill some takes time, more so on a machine that has so little of it that renewals fail.
     */
    private static final int RESERVE_SHARE = 10;

    private static final Duration LARGEST_RESERVE = Duration.ofSeconds(1);

    /** So much of the reserve this process is earlier than the guardian, which would be taken to have found it asleep. */
    private static final int EARLIER_SHARE = 4;

    /**
     * Asks the store for an answer that is as good as any: a lock that was handed over is sure for a few seconds only,
     * until the store has heard of its new holder.
     *
     * @param leaseTime what the lease was asked for with
     * @param killAfter the longest grace that is wanted
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

    /** The lock is taken to be lost so long before it is. */
    Duration reserve() {
        return shorter(life.dividedBy(RESERVE_SHARE), LARGEST_RESERVE);
    }

    /** The command is ended when the lock is sure for no longer than this, the reserve taken off. */
    Duration last() {
        return grace.plus(reserve().dividedBy(EARLIER_SHARE));
    }

    /** How often to look at the lease, and to tell the guardian. */
    Duration tick() {
        return shorter(life.dividedBy(WORDS_PER_LIFE), LONGEST_TICK);
    }

    static Duration shorter(Duration one, Duration other) {
        return one.compareTo(other) < 0 ? one : other;
    }
}
