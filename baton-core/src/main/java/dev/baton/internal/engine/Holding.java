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
 * A resource's state HELD: passing the hold from caller to caller, renewing it, losing it. Guarded by the resource's
 * lock.
 *
 * <p>A voluntary release passes the hold on locally while others wait here, within bounds of count, time and life, so
 * that other clients are not starved; never after a loss. Renewal belongs to the hold: an answer that comes when the
 * hold is gone has no effect, so a heartbeat on its way when {@code release} is called cannot revive anything.
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

    /** The caller that has the lock now; null where there is none. */
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

    /** The store granted. */
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

    /** The machine slept, or its clock was set, while the grant was on its way: the store knows whether it stands. */
    private void confirmFirst(Hold held, long now) {
        held.wantBeat(false);
        engine.wakeAt(now);
    }

    /** Gives the hold to the next caller here, if need be after a renewal, or back to the store. */
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

    /** A caller that waited while the hold was being renewed for it went away. */
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
        // A thread that is releasing has nothing left to be interrupted at.
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
            // The answer decides: to the next caller here, or back to the store.
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

    /** The store may still have a hold that its client has given up believing in: its release saves the others time. */
    private void sendStray(Hold held, Outbox out) {
        Release release = toRelease(held);
        engine.addStray(release);
        out.send(new Command.Free(engine, resource, release, null));
    }

    /** An extension that arrived after the loss has put the hold's end far away; returns whether it did. */
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

    /** Gives or ends, but never asks a second time: that could go on for as long as the store answers. */
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
     * The same server no longer has a hold whose deadline has not passed on its own clock: force was used, and left
     * nothing to tell by. Where holds belong to sessions they also end with these.
     */
    private boolean isTakenEarly(Hold held, Stamp stamp) {
        return !engine.settings().hasSessions() && held.isAliveAt(stamp);
    }

    private void lostAtStore(Hold held, Heartbeat.Reason reason, Outbox out) {
        boolean revoked = reason == Heartbeat.Reason.REVOKED;
        lose(revoked ? LossCause.REVOKED : LossCause.EXPIRED, out);
        if (revoked) {
            // Whoever used force waits for this, not for what the holder is doing.
            sendStray(held, out);
        }
    }

    @Nullable
    Command extend(Grant grant, long atLeastNanos) {
        long now = now();
        if (owner() != grant || !grant.isHeld() || grant.lastsFor(atLeastNanos, now)) {
            return null;
        }
        // A little more, for what drift, margin and the way take off again; never beyond maxHold.
        long asked = Math.min(atLeastNanos + atLeastNanos / 50 + EXTEND_MARGIN_NANOS, grant.lastNanos() - now);
        return engine.extension(resource, grant, asked);
    }

    /** A failed heartbeat leaves only the clocks to go by. */
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

    /** Whether the grant was the present one, as in the methods below; its hold is no longer renewed. */
    boolean abandon(Grant grant, Outbox out) {
        Hold held = hold;
        if (held == null || held.owner != grant || held.abandoned) {
            return false;
        }
        held.abandoned = true;
        engine.reportAbandoned(grant, out);
        return true;
    }

    /** Wall time outran monotonic time: the machine slept, or its clock was set. */
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
            // Nobody here has it, but the store may have heard a heartbeat whose answer was lost.
            end(null, out);
        } else if (held.belief.isOver(now)) {
            lose(held.isUnanswered(now) ? LossCause.STORE_UNREACHABLE : LossCause.EXPIRED, out);
        }
    }

    /** Ends the present hold as if its time were over; returns whether there was one. */
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

    /** When a renewal is due, or the end of all belief. */
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
