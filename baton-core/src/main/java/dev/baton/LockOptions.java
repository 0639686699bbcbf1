package dev.baton;

import java.time.Duration;
import java.util.Objects;
import java.util.Optional;
import java.util.function.BiConsumer;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * How a lock is held. Immutable and thread-safe; start from {@link #defaults()}. Each {@code with} method returns
 * changed options and leaves these as they are.
 *
 * @since 0.1
 */
public final class LockOptions {
    private static final LockOptions DEFAULTS = new LockOptions(new Values());

    private final Values values;

    private LockOptions(Values values) {
        this.values = values;
    }

    /** Mutable only until the options are made. */
    private static final class Values {
        private @Nullable Duration leaseTime;
        private @Nullable Duration maxHold;
        private Duration lockDelay = Duration.ZERO;
        private Duration atLeast = Duration.ZERO;
        private boolean interruptOnLoss;
        private Consumer<Lease> beforeAction = lease -> {};
        private BiConsumer<Lease, ReleaseOutcome> afterRelease = (lease, outcome) -> {};

        private Values() {}

        private Values(Values from) {
            leaseTime = from.leaseTime;
            maxHold = from.maxHold;
            lockDelay = from.lockDelay;
            atLeast = from.atLeast;
            interruptOnLoss = from.interruptOnLoss;
            beforeAction = from.beforeAction;
            afterRelease = from.afterRelease;
        }
    }

    private LockOptions with(Consumer<Values> change) {
        Values changed = new Values(values);
        change.accept(changed);
        return new LockOptions(changed);
    }

    /**
     * Returns the defaults: the watchdog renews the lease, without limit, lock-delay, interrupt or hooks.
     *
     * @return the defaults
     */
    public static LockOptions defaults() {
        return DEFAULTS;
    }

    /**
     * Sets an explicit lease time. The lease then ends after it; nothing renews it.
     *
     * @param time positive; at least the store's shortest lease, which is checked before anything is sent
     * @return changed options
     * @throws IllegalArgumentException if the time is not positive
     */
    public LockOptions withLeaseTime(Duration time) {
        Duration checked = requirePositive(time, "leaseTime");
        return with(changed -> changed.leaseTime = checked);
    }

    /**
     * Removes the explicit lease time: the watchdog renews the lease.
     *
     * @return changed options
     */
    public LockOptions renewed() {
        return with(changed -> changed.leaseTime = null);
    }

    /**
     * Limits how long the watchdog renews the lease.
     *
     * @param time positive
     * @return changed options
     * @throws IllegalArgumentException if the time is not positive
     */
    public LockOptions withMaxHold(Duration time) {
        Duration checked = requirePositive(time, "maxHold");
        return with(changed -> changed.maxHold = checked);
    }

    /**
     * Sets how long the store grants the lock to no other client after a holder failed. A release is not a failure. For
     * resources that cannot check tokens.
     *
     * @param time zero or more
     * @return changed options
     * @throws IllegalArgumentException if the time is negative
     */
    public LockOptions withLockDelay(Duration time) {
        if (time.isNegative()) {
            throw new IllegalArgumentException("lockDelay must not be negative, but is " + time);
        }
        return with(changed -> changed.lockDelay = time);
    }

    /**
     * Keeps the lock for so long from its grant, even if it is released sooner. The release then frees the client, not
     * the lock: the store grants it to no client, this client included, until the time is over. That rest belongs to no
     * client, so it goes on when this one is closed or gone; {@link Admin#forceRelease} ends it. A holder that dies
     * before its release keeps nothing: its lease ends as usual. A failover of the store may forget the rest.
     *
     * <p>For a task that many machines start at the same time of day, and that ends sooner than their clocks differ.
     *
     * @param time zero or more; not longer than an explicit lease time or {@code maxHold}, which is checked when the lock
     *     is made. Not for readers and permits, which others hold at the same time
     * @return changed options
     * @throws IllegalArgumentException if the time is negative
     */
    public LockOptions withAtLeast(Duration time) {
        if (time.isNegative()) {
            throw new IllegalArgumentException("atLeast must not be negative, but is " + time);
        }
        return with(changed -> changed.atLeast = time);
    }

    /**
     * Sets whether the loss of the lease interrupts the thread that acquired it.
     *
     * @param interrupt true to interrupt
     * @return changed options
     */
    public LockOptions withInterruptOnLoss(boolean interrupt) {
        return with(changed -> changed.interruptOnLoss = interrupt);
    }

    /**
     * Sets a hook that templates ({@code run}, {@code call} and their variants) call before their action, in the thread
     * of the action. Other acquisitions do not call it.
     *
     * @param hook receives the lease; if it throws, the lock is released and the exception is thrown
     * @return changed options
     */
    public LockOptions withBeforeAction(Consumer<Lease> hook) {
        Objects.requireNonNull(hook, "beforeAction");
        return with(changed -> changed.beforeAction = hook);
    }

    /**
     * Sets a hook that templates ({@code run}, {@code call} and their variants) call after their release, in the thread
     * of the action. Other releases do not call it.
     *
     * @param hook receives the lease and the outcome of its release
     * @return changed options
     */
    public LockOptions withAfterRelease(BiConsumer<Lease, ReleaseOutcome> hook) {
        Objects.requireNonNull(hook, "afterRelease");
        return with(changed -> changed.afterRelease = hook);
    }

    /**
     * Returns the explicit lease time.
     *
     * @return the lease time, or empty if the watchdog renews the lease
     */
    public Optional<Duration> leaseTime() {
        return Optional.ofNullable(values.leaseTime);
    }

    /**
     * Returns the limit to how long the watchdog renews the lease.
     *
     * @return the limit, or empty if there is none
     */
    public Optional<Duration> maxHold() {
        return Optional.ofNullable(values.maxHold);
    }

    /**
     * Returns how long the store grants the lock to no other client after a holder failed.
     *
     * @return the lock-delay; zero for none
     */
    public Duration lockDelay() {
        return values.lockDelay;
    }

    /**
     * Returns for how long from its grant the lock is kept, even if it is released sooner.
     *
     * @return the time; zero for none
     */
    public Duration atLeast() {
        return values.atLeast;
    }

    /**
     * Returns whether the loss of the lease interrupts the thread that acquired it.
     *
     * @return true if it does
     */
    public boolean interruptOnLoss() {
        return values.interruptOnLoss;
    }

    /**
     * Returns the hook that templates call before their action.
     *
     * @return the hook; does nothing by default
     */
    public Consumer<Lease> beforeAction() {
        return values.beforeAction;
    }

    /**
     * Returns the hook that templates call after their release.
     *
     * @return the hook; does nothing by default
     */
    public BiConsumer<Lease, ReleaseOutcome> afterRelease() {
        return values.afterRelease;
    }

    private static Duration requirePositive(Duration value, String what) {
        if (value.isNegative() || value.isZero()) {
            throw new IllegalArgumentException(what + " must be positive, but is " + value);
        }
        return value;
    }
}
