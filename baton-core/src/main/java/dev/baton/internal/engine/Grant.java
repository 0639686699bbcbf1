package dev.baton.internal.engine;

import dev.baton.LossCause;
import dev.baton.ReleaseOutcome;
import java.lang.ref.PhantomReference;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * One caller's grant: its token, and whether the caller still has it. It ends once, by release or by loss. Both are
 * decided under the resource's lock; any thread reads the result without the lock.
 */
public final class Grant {
    private final LocalResource resource;
    private final Hold hold;
    private final long token;
    private final long grantedNanos;
    private final @Nullable Thread thread;
    private boolean interruptOnLoss;
    private final @Nullable Throwable takenAt;
    private final boolean limited;
    private final long lastNanos;
    private volatile long limitNanos;
    private volatile boolean released;
    private volatile @Nullable LossCause loss;
    private List<Consumer<LossCause>> lossActions = List.of();

    /** Keeps the watch over the user's handle reachable for as long as the grant. */
    private @Nullable PhantomReference<?> watch;

    Grant(LocalResource resource, Hold hold, Waiter waiter, long nowNanos) {
        HoldRequest request = waiter.request;
        this.resource = resource;
        this.hold = hold;
        this.token = hold.nextToken();
        this.grantedNanos = nowNanos;
        this.thread = waiter.thread;
        this.interruptOnLoss = request.interruptOnLoss();
        this.takenAt = waiter.takenAt;
        this.limited = request.explicit() || request.maxHoldNanos() > 0;
        this.lastNanos = nowNanos + (request.maxHoldNanos() > 0 ? request.maxHoldNanos() : Engine.FAR_NANOS);
        this.limitNanos = request.explicit() ? Math.min(nowNanos + request.leaseNanos(), lastNanos) : lastNanos;
    }

    /** Returns the public fencing token. */
    public long token() {
        return token;
    }

    /** Returns the lock's name. */
    public String name() {
        return resource.name();
    }

    /** Returns the stack of the request, or null if not traced. */
    public @Nullable Throwable takenAt() {
        return takenAt;
    }

    /** Returns whether it is certainly held now. */
    public boolean isHeld() {
        return remainingNanos() > 0;
    }

    /** Returns how long {@link #isHeld} stays true without another answer of the store; 0 if it is not held. */
    public long remainingNanos() {
        if (released || loss != null) {
            return 0;
        }
        Clock clock = resource.clock();
        long now = clock.nanos();
        Belief belief = hold.belief;
        long left = belief.remainingNanos(now, clock.wallMillis());
        if (limited) {
            left = Math.min(left, limitNanos - now);
        }
        if (left > 0) {
            return left;
        }
        if (!belief.isOver(now) && !isOverLimit(now)) {
            resource.atHolding(holding -> holding.confirmSoon(this));
        }
        return 0;
    }

    /**
     * Returns whether only the wall clock says that it is over: the machine slept or its clock was set, and only the
     * store knows whether the hold still exists.
     */
    public boolean isUncertain() {
        Clock clock = resource.clock();
        long now = clock.nanos();
        return !released
                && loss == null
                && !isOverLimit(now)
                && !hold.belief.isOver(now)
                && !hold.belief.holdsAt(now, clock.wallMillis());
    }

    /** Returns a command that asks the store whether it is held, for a caller that cannot go on without the answer. */
    public Command confirmation() {
        return resource.confirmation(this);
    }

    /** Returns why it was lost, or null if it was not. */
    public @Nullable LossCause loss() {
        return loss;
    }

    /**
     * Returns why it was lost, even if it ended just now and no timer has noticed yet.
     *
     * @param out receives the actions that follow from the loss
     */
    public @Nullable LossCause lossNow(Outbox out) {
        if (loss == null && !released && remainingNanos() == 0) {
            resource.atHolding(holding -> {
                holding.loseIfOver(resource.clock().nanos(), out);
                return this;
            });
        }
        return loss;
    }

    /** Returns whether it ended because the time that its holder set is over. */
    public boolean hasRunOut() {
        return limited && loss == LossCause.EXPIRED;
    }

    /** Returns whether its holder released it. */
    public boolean isReleased() {
        return released;
    }

    /** Keeps a reference object reachable. */
    public void watchedBy(PhantomReference<?> reference) {
        watch = reference;
    }

    /** Returns the reference object, for the code that stops the watch. */
    public @Nullable PhantomReference<?> watch() {
        return watch;
    }

    /**
     * Registers an action for the loss; calls it at once if the grant is lost already.
     *
     * @param out receives the call
     */
    public void onLoss(Consumer<LossCause> action, Outbox out) {
        resource.atHolding(holding -> holding.addLossAction(this, action, out));
    }

    /**
     * Releases the lock.
     *
     * @param releasing receives the outcome once the store has answered
     * @param out receives the command, if one is needed
     * @return the outcome if the store need not be asked, or null
     */
    public @Nullable ReleaseOutcome release(Releasing releasing, Outbox out) {
        return resource.atHolding(holding -> holding.release(this, releasing, out));
    }

    /**
     * Asks the store for a longer deadline, within {@code maxHold}.
     *
     * @param atLeastNanos how long from now
     * @return the command to send, or null if there is nothing to ask: enough time is left already, or the grant is
     *     lost
     */
    public @Nullable Command extend(long atLeastNanos) {
        return resource.atHolding(holding -> holding.extend(this, atLeastNanos));
    }

    /** Returns whether the store keeps the hold for so long without another renewal. */
    public boolean lastsFor(long nanos) {
        return isHeld() && lastsFor(nanos, resource.clock().nanos());
    }

    /** Handles that the user's handle became unreachable without a release. */
    public void abandoned(Outbox out) {
        resource.atHolding(holding -> holding.abandon(this, out));
    }

    Hold hold() {
        return hold;
    }

    @Nullable
    Thread thread() {
        return thread;
    }

    long grantedNanos() {
        return grantedNanos;
    }

    /** When {@code maxHold} ends it, even if it is renewed or extended. */
    long lastNanos() {
        return lastNanos;
    }

    boolean isOverLimit(long now) {
        return limited && now - limitNanos >= 0;
    }

    long earlierLimit(long nanos) {
        return limited && limitNanos - nanos < 0 ? limitNanos : nanos;
    }

    boolean lastsFor(long nanos, long now) {
        return hold.belief.storeEndNanos() - now >= nanos && (!limited || limitNanos - now >= nanos);
    }

    /** Takes a longer deadline of the store: an explicit lease goes on; a lease that was lost meanwhile is released. */
    void extended(long nanos, Outbox out) {
        resource.atHolding(holding -> {
            extendTo(nanos);
            return holding.freeIfLost(this, out);
        });
    }

    /** {@code maxHold} stays a limit. */
    private void extendTo(long nanos) {
        if (hold.request.explicit() && nanos - limitNanos > 0) {
            limitNanos = Math.min(nanos, lastNanos);
        }
    }

    void doNotInterrupt() {
        interruptOnLoss = false;
    }

    void markReleased() {
        released = true;
        lossActions = List.of();
    }

    void markLost(LossCause cause, Outbox out) {
        loss = cause;
        lossActions.forEach(action -> out.call(Driver.Kind.LOSS, () -> action.accept(cause)));
        lossActions = List.of();
        boolean closesItself = cause == LossCause.CLIENT_CLOSED && thread == Thread.currentThread();
        if (interruptOnLoss && thread != null && !closesItself) {
            // Under the resource's lock: once the thread has released, an interrupt would hit other work.
            thread.interrupt();
        }
    }

    void addLossAction(Consumer<LossCause> action) {
        List<Consumer<LossCause>> longer = new ArrayList<>(lossActions);
        longer.add(action);
        lossActions = longer;
    }
}
