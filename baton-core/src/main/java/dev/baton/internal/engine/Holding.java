package dev.baton.internal.engine;

import dev.baton.BatonEvent;
import dev.baton.LossCause;
import dev.baton.ReleaseOutcome;
import dev.baton.spi.Heartbeat;
import dev.baton.spi.Release;
import dev.baton.spi.Stamp;
import java.util.Objects;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * A resource's state HELD: passes the hold from caller to caller, renews it, loses it. Guarded by the resource's lock.
 *
 * <p>After a voluntary release, the hold passes to the next local caller, but never after a loss. Bounds on count, time
 * and remaining lease keep other clients from starving. Renewal belongs to the hold: an answer that arrives when the
 * hold is gone has no effect, so a heartbeat in flight when {@code release} is called cannot revive the hold.
 */
final class Holding {
    private static final long EXTEND_MARGIN_NANOS = 50_000_000;

    private final Engine engine;
    private final LocalResource resource;
    private final WaitQueue waitQueue;
    private @Nullable Hold hold;

    Holding(Engine engine, LocalResource resource, WaitQueue waitQueue) {
        this.engine = engine;
        this.resource = resource;
        this.waitQueue = waitQueue;
    }

    @Nullable
    Hold current() {
        return hold;
    }

    /** The caller that has the lock now; null if there is none. */
    @Nullable
    Grant owner() {
        return hold == null ? null : hold.owner;
    }

    private long now() {
        return engine.clock().nanos();
    }

    private void report(BatonEvent.Type type, long token, long sinceNanos, String detail, Outbox out) {
        engine.report(type, resource.name(), token, now() - sinceNanos, detail, out);
    }

    // ---- from caller to caller -----------------------------------------------------------------------------------

    /** Takes a hold that the store granted. */
    void begin(Hold granted, Outbox out) {
        hold = granted;
        long now = now();
        Waiter next = waitQueue.peek();
        if (next == null || granted.belief.isOver(now) || !granted.fits(next.request)) {
            end(null, out);
        } else if (isBelieved(granted, now)) {
            give(granted, next, BatonEvent.Type.ACQUIRED, out);
        } else {
            confirmFirst(granted, now);
        }
    }

    boolean isBelieved(Hold held, long now) {
        return held.belief.holdsAt(now, engine.clock().wallMillis());
    }

    /**
     * Asks the store: the machine slept, or its clock was set, so only the store knows whether the hold still exists.
     */
    private void confirmFirst(Hold held, long now) {
        held.wantBeat(false);
        engine.wakeAt(now);
    }

    /** Gives the hold to the next caller here, after a renewal if needed, or back to the store. */
    private void passOn(Hold held, Outbox out) {
        long now = now();
        Waiter next = waitQueue.peek();
        if (next == null || held.belief.isOver(now) || !held.canPassTo(next.request, now)) {
            end(null, out);
        } else if (!isBelieved(held, now)) {
            confirmFirst(held, now);
        } else if (!held.hasLifeFor(next.request, now)) {
            held.wantBeat(true);
            engine.wakeAt(now);
        } else {
            give(held, next, BatonEvent.Type.HANDED_OFF, out);
        }
    }

    private void give(Hold held, Waiter next, BatonEvent.Type how, Outbox out) {
        Grant grant = new Grant(resource, held, next, now());
        held.giveTo(grant, next.description());
        waitQueue.grant(next, grant, out);
        if (how == BatonEvent.Type.HANDED_OFF && held.askWhoWaits(now())) {
            engine.wakeAt(now());
        }
        report(how, grant.token(), next.startNanos, "", out);
    }

    /** Ends a hold that was being renewed for a caller, if no caller waits any more. */
    void endIfUnwanted(Outbox out) {
        if (hold != null && hold.owner == null && waitQueue.isEmpty()) {
            end(null, out);
        }
    }

    @Nullable
    ReleaseOutcome release(Grant grant, Releasing releasing, Outbox out) {
        if (grant.isReleased()) {
            return ReleaseOutcome.NOT_HELD;
        }
        long now = now();
        // A thread that releases its lease need not be interrupted any more.
        grant.doNotInterrupt();
        loseIfOver(now, out);
        LossCause loss = grant.loss();
        grant.markReleased();
        if (loss != null) {
            sendStray(grant.hold(), out);
            boolean over = loss == LossCause.EXPIRED || loss == LossCause.STORE_UNREACHABLE;
            return over ? ReleaseOutcome.EXPIRED : ReleaseOutcome.NOT_HELD;
        }
        Hold held = Objects.requireNonNull(hold);
        held.owner = null;
        report(BatonEvent.Type.RELEASED, grant.token(), grant.grantedNanos(), "", out);
        Waiter next = waitQueue.peek();
        if (next != null && held.canPassTo(next.request, now)) {
            passOn(held, out);
            return ReleaseOutcome.RELEASED;
        }
        if (next != null && held.canPassIfAlone(next.request)) {
            // The answer decides whether the hold goes to the next caller here or back to the store.
            held.askWhoWaits(now);
            engine.wakeAt(now);
            return ReleaseOutcome.RELEASED;
        }
        end(releasing, out);
        return null;
    }

    private void end(@Nullable Releasing releasing, Outbox out) {
        Hold held = Objects.requireNonNull(hold);
        hold = null;
        resource.end(held, releasing, out);
    }

    /**
     * Releases a hold that this client no longer believes in. The store may still have it, and other clients would
     * wait.
     */
    private void sendStray(Hold held, Outbox out) {
        Release release = toRelease(held);
        engine.addStray(release);
        out.send(new Command.Free(engine, resource, release, null));
    }

    /** Releases a lost hold whose end a late extension has moved far away; returns whether it was lost. */
    boolean freeIfLost(Grant grant, Outbox out) {
        boolean lost = grant.loss() != null && hold != grant.hold();
        if (lost) {
            sendStray(grant.hold(), out);
        }
        return lost;
    }

    Release toRelease(Hold held) {
        return new Release(resource.id(), held.attempt, held.storeToken, engine.nextNumber());
    }

    // ---- renewal -------------------------------------------------------------------------------------------------

    void answered(Heartbeat.Hold named, Heartbeat.HoldReply reply, Belief.Sync sync, Outbox out) {
        Hold held = hold;
        if (held == null || held.attempt != named.attempt()) {
            return;
        }
        held.beatEnded();
        loseIfOver(now(), out);
        if (hold != held) {
            return;
        }
        if (reply instanceof Heartbeat.Renewed renewed) {
            boolean more = held.renewed(
                    Belief.of(sync, renewed.deadlineMicros(), engine.settings().trustNanos()),
                    sync.stamp(),
                    renewed.deadlineMicros(),
                    renewed.contended());
            renewed(held, more, out);
        } else if (reply instanceof Heartbeat.Lost lost) {
            boolean early = lost.reason() == Heartbeat.Reason.EXPIRED && isTakenEarly(held, sync.stamp());
            lostAtStore(held, early ? Heartbeat.Reason.REVOKED : lost.reason(), out);
        } else {
            held.wantBeat(false);
        }
    }

    private void renewed(Hold held, boolean more, Outbox out) {
        Grant owner = held.owner;
        if (more) {
            report(BatonEvent.Type.RENEWED, owner == null ? 0 : owner.token(), held.grantedNanos, "", out);
        }
        if (owner == null) {
            passRenewed(held, out);
        }
    }

    /** Gives or ends the hold, but never asks a second time: that could repeat for as long as the store answers. */
    private void passRenewed(Hold held, Outbox out) {
        long now = now();
        Waiter next = waitQueue.peek();
        boolean lasts = isBelieved(held, now) && next != null && held.hasLifeFor(next.request, now);
        if (next != null && lasts && (held.canPassTo(next.request, now) || held.canPassIfAlone(next.request))) {
            BatonEvent.Type how = held.isFresh() ? BatonEvent.Type.ACQUIRED : BatonEvent.Type.HANDED_OFF;
            give(held, next, how, out);
        } else {
            end(null, out);
        }
    }

    /**
     * Whether the same server no longer has a hold whose deadline has not passed on its own clock: then it was released
     * by force, which left no trace. Holds that belong to sessions may also have ended with their session.
     */
    private boolean isTakenEarly(Hold held, Stamp stamp) {
        return !engine.settings().hasSessions() && held.isAliveAt(stamp);
    }

    private void lostAtStore(Hold held, Heartbeat.Reason reason, Outbox out) {
        boolean revoked = reason == Heartbeat.Reason.REVOKED;
        lose(revoked ? LossCause.REVOKED : LossCause.EXPIRED, out);
        if (revoked) {
            // The operator who used force waits for this release, not for the holder's work.
            sendStray(held, out);
        }
    }

    @Nullable
    Command extend(Grant grant, long atLeastNanos) {
        long now = now();
        if (owner() != grant || !grant.isHeld() || grant.lastsFor(atLeastNanos, now)) {
            return null;
        }
        // A little more, to make up for drift, margin and the round trip; never beyond maxHold.
        long asked = Math.min(atLeastNanos + atLeastNanos / 50 + EXTEND_MARGIN_NANOS, grant.lastNanos() - now);
        return engine.extension(resource, grant, asked);
    }

    /** Records a failed heartbeat; if the clocks no longer support the hold, it is lost. */
    void beatFailed(Hold held, long now, Outbox out) {
        held.beatFailed(now);
        if (!isBelieved(held, now)) {
            loseUnanswered(held, out);
        }
    }

    private void loseUnanswered(Hold held, Outbox out) {
        if (held.owner == null) {
            end(null, out);
        } else {
            lose(LossCause.STORE_UNREACHABLE, out);
        }
    }

    /**
     * Stops the renewal of an abandoned grant's hold; false if the grant is not the present one, or was abandoned
     * before.
     */
    boolean abandon(Grant grant, Outbox out) {
        Hold held = hold;
        if (held == null || held.owner != grant || held.abandoned) {
            return false;
        }
        held.abandoned = true;
        engine.reportAbandoned(grant, out);
        return true;
    }

    /** Asks the store soon, because the wall clock ran ahead: the machine slept, or its clock was set. */
    boolean confirmSoon(Grant grant) {
        Hold held = hold;
        if (held == null || held.owner != grant) {
            return false;
        }
        held.wantBeat(false);
        engine.wakeAt(now());
        return true;
    }

    // ---- loss ----------------------------------------------------------------------------------------------------

    void loseIfOver(long now, Outbox out) {
        Hold held = hold;
        if (held == null) {
            return;
        }
        Grant owner = held.owner;
        if (owner != null && owner.isOverLimit(now)) {
            lose(LossCause.EXPIRED, out);
        } else if (owner == null && held.belief.isOver(now)) {
            // No caller here has it, but the store may have renewed it by a heartbeat whose answer was lost.
            end(null, out);
        } else if (held.belief.isOver(now)) {
            lose(held.isUnanswered(now) ? LossCause.STORE_UNREACHABLE : LossCause.EXPIRED, out);
        }
    }

    /** Loses the present hold as if its time were over; returns whether there was one. */
    boolean expire(Outbox out) {
        boolean held = hold != null;
        if (held) {
            lose(LossCause.EXPIRED, out);
        }
        return held;
    }

    void lose(LossCause cause, Outbox out) {
        Grant owner = owner();
        hold = null;
        if (owner != null) {
            owner.markLost(cause, out);
            engine.reportLost(owner, cause, out);
        }
        resource.askOrRest(out);
    }

    boolean addLossAction(Grant grant, Consumer<LossCause> action, Outbox out) {
        loseIfOver(now(), out);
        LossCause loss = grant.loss();
        boolean listens = loss == null && !grant.isReleased();
        if (listens) {
            grant.addLossAction(action);
        } else if (loss != null && !grant.isReleased()) {
            out.call(Driver.Kind.LOSS, () -> action.accept(loss));
        }
        return listens;
    }

    /** When a heartbeat is due or the belief ends: the earlier of the two. */
    long nextNanos(Hold held) {
        long over = held.belief.untilNanos();
        Grant owner = held.owner;
        if (owner != null) {
            over = owner.earlierLimit(over);
        }
        long beat = held.beatDueNanos(engine.settings());
        return beat - over < 0 ? beat : over;
    }
}
