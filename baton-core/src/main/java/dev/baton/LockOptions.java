package dev.baton;

import java.time.Duration;
import java.util.Objects;
import java.util.Optional;
import java.util.function.BiConsumer;
import java.util.function.Consumer;

/**
 * How a lock is held. Immutable; start from {@link #defaults()}.
 *
 * @param leaseTime an explicit lease time, after which the lease ends without renewal; empty for the watchdog
 * @param maxHold a limit to how long the watchdog renews; empty for none
 * @param lockDelay how long the store grants the lock to nobody after a holder failed (not after a release); zero for
 *     none. For resources that cannot check tokens
 * @param interruptOnLoss whether losing the lease interrupts the thread that acquired it
 * @param onAcquire called in the holder's thread when a template has the lease, before its action
 * @param onExit called in the holder's thread after a template released, with what the release found
 */
public record LockOptions(
        Optional<Duration> leaseTime,
        Optional<Duration> maxHold,
        Duration lockDelay,
        boolean interruptOnLoss,
        Consumer<Lease> onAcquire,
        BiConsumer<Lease, ReleaseOutcome> onExit) {

    private static final LockOptions DEFAULTS =
            new LockOptions(Optional.empty(), Optional.empty(), Duration.ZERO, false, lease -> {}, (lease, out) -> {});

    /** Refuses what makes no sense. */
    public LockOptions {
        leaseTime.ifPresent(time -> requirePositive(time, "leaseTime"));
        maxHold.ifPresent(time -> requirePositive(time, "maxHold"));
        if (lockDelay.isNegative()) {
            throw new IllegalArgumentException("lockDelay must not be negative, but is " + lockDelay);
        }
        Objects.requireNonNull(onAcquire, "onAcquire");
        Objects.requireNonNull(onExit, "onExit");
    }

    /**
     * Renewed by the watchdog, without limit, lock-delay, interrupts or hooks.
     *
     * @return the defaults
     */
    public static LockOptions defaults() {
        return DEFAULTS;
    }

    /**
     * With an explicit lease time.
     *
     * @param time positive; at least the store's shortest lease, which is checked before anything is sent
     * @return changed options
     */
    public LockOptions withLeaseTime(Duration time) {
        return new LockOptions(Optional.of(time), maxHold, lockDelay, interruptOnLoss, onAcquire, onExit);
    }

    /**
     * With a limit to renewal.
     *
     * @param time positive
     * @return changed options
     */
    public LockOptions withMaxHold(Duration time) {
        return new LockOptions(leaseTime, Optional.of(time), lockDelay, interruptOnLoss, onAcquire, onExit);
    }

    /**
     * With a lock-delay.
     *
     * @param time zero or more
     * @return changed options
     */
    public LockOptions withLockDelay(Duration time) {
        return new LockOptions(leaseTime, maxHold, time, interruptOnLoss, onAcquire, onExit);
    }

    /**
     * With or without an interrupt on loss.
     *
     * @param interrupt whether to interrupt
     * @return changed options
     */
    public LockOptions withInterruptOnLoss(boolean interrupt) {
        return new LockOptions(leaseTime, maxHold, lockDelay, interrupt, onAcquire, onExit);
    }

    /**
     * With a hook before every template's action.
     *
     * @param hook receives the lease; an exception of its releases and is thrown
     * @return changed options
     */
    public LockOptions withOnAcquire(Consumer<Lease> hook) {
        return new LockOptions(leaseTime, maxHold, lockDelay, interruptOnLoss, hook, onExit);
    }

    /**
     * With a hook after every template's release.
     *
     * @param hook receives the lease and what its release found
     * @return changed options
     */
    public LockOptions withOnExit(BiConsumer<Lease, ReleaseOutcome> hook) {
        return new LockOptions(leaseTime, maxHold, lockDelay, interruptOnLoss, onAcquire, hook);
    }

    private static void requirePositive(Duration value, String what) {
        if (value.isNegative() || value.isZero()) {
            throw new IllegalArgumentException(what + " must be positive, but is " + value);
        }
    }
}
