package dev.baton.internal.engine;

import dev.baton.BatonEvent;
import dev.baton.LossCause;
import dev.baton.ReleaseOutcome;
import dev.baton.spi.Heartbeat;
import dev.baton.spi.Resource;
import dev.baton.spi.Stamp;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The machine of one hold: passes it from caller to caller, renews it, loses it, ends it. Guarded by its resource's
 * lock.
 *
 * <pre>
 *   Passing ──give──▶ Held ──release──▶ Passing          Held ──lost──▶ Over
 *      └──end──▶ Ended ──freed──▶ Over
 * </pre>
 *
 * <p>A hand-off at a store that confirms hand-offs stays in Passing until a heartbeat that writes was answered.
 *
 * <p>Renewal belongs to the hold: an answer that arrives when the hold has ended has no effect, so a heartbeat in flight
 * when {@code release} is called cannot revive the hold. A lost hold is never passed on.
 */
final class Holding {
    private sealed interface State {}

    /** These callers have it: one, or for a shared hold any number. */
    private record Held(List<Grant> owners) implements State {}

    /** No caller has it: it has just come, or the store's answer decides who gets it next. */
    private record Passing() implements State {}

    /** It is being released at the store. */
    private record Ended(Ending ending) implements State {}

    private record Over() implements State {}

    private static final State PASSING = new Passing();
    private static final State OVER = new Over();

    private final Surroundings around;
    private final Resource id;
    private final WaitQueue waitQueue;
    private final PassingOn policy;
    private final Hold hold;
    private State state = PASSING;

    Holding(Surroundings around, Resource id, WaitQueue waitQueue, PassingOn policy, Hold hold) {
        this.around = around;
        this.id = id;
        this.waitQueue = waitQueue;
        this.policy = policy;
        this.hold = hold;
    }

    Hold hold() {
        return hold;
    }

    /** Whether it is held or passes on: not yet given back, nor lost. */
    boolean isLive() {
        return state instanceof Held || state == PASSING;
    }

    boolean isOver() {
        return state == OVER;
    }

    /** The callers that have it now. */
    List<Grant> owners() {
        return state instanceof Held held ? held.owners() : List.of();
    }

    /** Whether no caller has it, and the store's answer decides who gets it. */
    boolean isPassing() {
        return state == PASSING;
    }

    // ---- from caller to caller -----------------------------------------------------------------------------------

    /** Takes the hold that the store granted. */
    void begin(long now, Outbox out) {
        follow(policy.decide(hold, waitQueue.peek(), now), null, now, out);
    }

    /**
     * Takes it from its caller, for the next caller or the store.
     *
     * @return the outcome if the store need not be asked, or null
     */
    @Nullable
    ReleaseOutcome release(Grant grant, Releasing releasing, long now, Outbox out) {
        around.reports().released(grant, now, out);
        leave(grant, now);
        if (state != PASSING) {
            return ReleaseOutcome.RELEASED;
        }
        follow(policy.decide(hold, waitQueue.peek(), now), releasing, now, out);
        return state instanceof Ended ? null : ReleaseOutcome.RELEASED;
    }

    private void follow(PassingOn.Decision decision, @Nullable Releasing releasing, long now, Outbox out) {
        switch (decision) {
            case GIVE -> give(now, out);
            case RENEW_FIRST -> hold.wantBeat(true);
            case CONFIRM_FIRST -> hold.wantBeat(false);
            case ASK_WHO_WAITS -> hold.askWhoWaits(now);
            case END -> end(releasing, now, out);
        }
    }

    private void give(long now, Outbox out) {
        Waiter next = waitQueue.first();
        BatonEvent.Type how = hold.isFresh() ? BatonEvent.Type.ACQUIRED : BatonEvent.Type.HANDED_OFF;
        Grant grant = grantTo(next, now);
        state = new Held(List.of(grant));
        hold.givenTo(grant.description(), grant.lastNanos(), now);
        hold.keptFor(next.request.atLeastNanos(), now);
        tell(next, grant, how, now, out);
        join(now, out);
    }

    /** Lets the callers at the head of the queue have a shared hold, too. */
    private void join(long now, Outbox out) {
        Waiter next = waitQueue.peek();
        while (next != null && shareWith(next, now, out)) {
            next = waitQueue.peek();
        }
    }

    /** Lets another caller have a shared hold, too; returns whether it has. */
    boolean shareWith(Waiter next, long now, Outbox out) {
        boolean nested = isHeldBy(next.thread);
        if (!(state instanceof Held) || !policy.mayJoin(hold, next, nested, now)) {
            return false;
        }
        Grant grant = grantTo(next, now);
        List<Grant> more = new ArrayList<>(owners());
        more.add(grant);
        state = new Held(more);
        hold.sharedWith(grant.lastNanos());
        tell(next, grant, BatonEvent.Type.HANDED_OFF, now, out);
        return true;
    }

    /**
     * Makes a reader's hold of a writer's. Readers of this client may share it at once, others when the store has heard
     * of it.
     */
    void downgrade(long now, Outbox out) {
        hold.becomeReader();
        join(now, out);
    }

    /** Whether a thread acquired it, and has it. */
    boolean isHeldBy(@Nullable Thread thread) {
        return thread != null && owners().stream().anyMatch(owner -> owner.thread() == thread);
    }

    private Grant grantTo(Waiter next, long now) {
        return new Grant(id, hold, next.request, next.thread, next.description(), next.takenAt, around.clock(), now);
    }

    private void tell(Waiter next, Grant grant, BatonEvent.Type how, long now, Outbox out) {
        waitQueue.grant(next, grant, now, out);
        if (how == BatonEvent.Type.HANDED_OFF) {
            hold.askWhoWaits(now);
        }
        around.reports().got(next, grant, how, now, out);
    }

    /** One of its callers does not have it any more. */
    private void leave(Grant grant, long now) {
        List<Grant> left = owners();
        if (left.size() == 1) {
            state = PASSING;
            return;
        }
        left = new ArrayList<>(left);
        left.remove(grant);
        state = new Held(left);
        if (hold.isDescribedAs(grant.description())) {
            // Who has left may wait for another lock, and must not seem to have this one.
            hold.describe(left.get(0).description(), now);
        }
        stopRenewalIfUnreachable();
    }

    /** Stops the renewal of a grant that its caller can no longer reach; false if it is not a present one. */
    boolean abandon(Grant grant) {
        boolean isNew = owners().contains(grant) && grant.abandon();
        if (isNew) {
            stopRenewalIfUnreachable();
        }
        return isNew;
    }

    private void stopRenewalIfUnreachable() {
        if (owners().stream().allMatch(Grant::isAbandoned)) {
            hold.abandon();
        }
    }

    /** Ends a hold that was to pass to a caller, since none waits any more. */
    void unwanted(long now, Outbox out) {
        if (state == PASSING) {
            end(null, now, out);
        }
    }

    private void end(@Nullable Releasing releasing, long now, Outbox out) {
        state = new Ended(Ending.ofHold(around, id, hold, releasing, now, out));
    }

    /** The end whose answer this command brings; null if it is not awaited. */
    @Nullable
    Ending ending(Command command) {
        return state instanceof Ended ended && ended.ending().awaits(command) ? ended.ending() : null;
    }

    /** The store has no such hold any more. */
    void over() {
        state = OVER;
    }

    // ---- renewal -------------------------------------------------------------------------------------------------

    void answered(Heartbeat.Hold named, Heartbeat.HoldReply reply, Belief.Sync sync, long now, Outbox out) {
        hold.beatEnded();
        loseIfOver(now, out);
        if (!isLive()) {
            return;
        }
        if (reply instanceof Heartbeat.Renewed renewed) {
            hold.told(named.description());
            if (named.extend()) {
                hold.confirmed();
            }
            renewed(renewed, sync, now, out);
        } else if (reply instanceof Heartbeat.Lost lost) {
            boolean early = lost.reason() == Heartbeat.Reason.EXPIRED && isTakenEarly(sync.stamp());
            lostAtStore(early ? Heartbeat.Reason.REVOKED : lost.reason(), now, out);
        } else {
            hold.beatPutOff(now);
        }
    }

    private void renewed(Heartbeat.Renewed renewed, Belief.Sync sync, long now, Outbox out) {
        boolean more = hold.renewed(
                Belief.of(sync, renewed.deadlineMicros(), around.settings().trustNanos()),
                sync.stamp(),
                renewed.deadlineMicros(),
                renewed.contended());
        if (more) {
            long token = state instanceof Held held ? held.owners().get(0).token() : 0;
            around.reports().event(BatonEvent.Type.RENEWED, id.name(), token, now - hold.grantedNanos, "", out);
        }
        if (state == PASSING) {
            Waiter next = waitQueue.peek();
            boolean last = !hold.isUnconfirmed();
            follow(last ? policy.decideFinally(hold, next, now) : policy.decide(hold, next, now), null, now, out);
        }
    }

    /**
     * Whether the same server no longer has a hold whose deadline has not passed on its own clock: then it was released
     * by force, which left no trace. Holds that belong to sessions may also have ended with their session.
     */
    private boolean isTakenEarly(Stamp stamp) {
        return !around.settings().hasSessions() && hold.isAliveAt(stamp);
    }

    private void lostAtStore(Heartbeat.Reason reason, long now, Outbox out) {
        boolean revoked = reason == Heartbeat.Reason.REVOKED;
        lose(revoked ? LossCause.REVOKED : LossCause.EXPIRED, now, out);
        if (revoked) {
            // The operator who used force waits for this release, not for the holder's work.
            around.sendStray(id, hold, out);
        }
    }

    /** Records a failed heartbeat; if the clocks no longer support the hold, it is lost. */
    void beatFailed(long now, Outbox out) {
        hold.beatFailed(now);
        if (around.isBelieved(hold, now)) {
            return;
        }
        if (state == PASSING) {
            end(null, now, out);
        } else {
            lose(LossCause.STORE_UNREACHABLE, now, out);
            failed(now, out);
        }
    }

    /** Has the store asked at once, because pushes or the hold itself may be lost. */
    void askAgain() {
        if (isLive()) {
            hold.askAgain();
        }
    }

    // ---- loss ----------------------------------------------------------------------------------------------------

    void loseIfOver(long now, Outbox out) {
        boolean over = hold.belief.isOver(now);
        if (state instanceof Held held) {
            if (over) {
                LossCause cause = hold.isUnanswered(now) ? LossCause.STORE_UNREACHABLE : LossCause.EXPIRED;
                for (Grant owner : held.owners()) {
                    tellLoss(owner, owner.isOverLimit(now) ? LossCause.EXPIRED : cause, now, out);
                }
                failed(now, out);
            } else {
                loseWhoseTimeIsOver(held, now, out);
            }
        } else if (state == PASSING && over) {
            // No caller here has it, but the store may have renewed it by a heartbeat whose answer was lost.
            end(null, now, out);
        }
    }

    /** Ends the grants whose own limit has passed; the hold ends with the last one. */
    private void loseWhoseTimeIsOver(Held held, long now, Outbox out) {
        for (Grant owner : held.owners()) {
            if (owner.isOverLimit(now)) {
                leave(owner, now);
                tellLoss(owner, LossCause.EXPIRED, now, out);
            }
        }
        if (state == PASSING) {
            failed(now, out);
        }
    }

    /** Its time is over while a caller had it. A store that keeps no deadlines has to be told. */
    private void failed(long now, Outbox out) {
        state = around.settings().hasSessions() ? new Ended(Ending.ofFailedHold(around, id, hold, now, out)) : OVER;
    }

    /** Ends it without a word to the store; its callers are told. */
    void lose(LossCause cause, long now, Outbox out) {
        List<Grant> told = owners();
        state = OVER;
        for (Grant owner : told) {
            tellLoss(owner, cause, now, out);
        }
    }

    private void tellLoss(Grant owner, LossCause cause, long now, Outbox out) {
        hold.keptForNobody();
        owner.markLost(cause).forEach(action -> out.call(Driver.Kind.LOSS, () -> action.accept(cause)));
        around.reports().lost(owner, cause, now, out);
    }

    // ---- time ----------------------------------------------------------------------------------------------------

    void tick(long now, HeartbeatBatch batch, Outbox out) {
        loseIfOver(now, out);
        if (state instanceof Ended ended) {
            ended.ending().tick(now, out);
        } else if (isLive() && hold.isBeatDue(around.settings(), now)) {
            Heartbeat.Hold entry = hold.beat(id, around.isBelieved(hold, now), state instanceof Held, now);
            batch.add(entry, hold.beatTimeoutNanos(around.settings()));
        }
    }

    /** When {@link #tick} has something to do: the next heartbeat, or the end of the belief or of {@code maxHold}. */
    long nextNanos(long now) {
        if (state instanceof Ended ended) {
            return ended.ending().nextNanos(now);
        }
        if (state == OVER) {
            return now + EngineSettings.FAR_NANOS;
        }
        long over = hold.belief.untilNanos();
        for (Grant owner : owners()) {
            over = owner.earlierLimit(over);
        }
        long beat = hold.beatDueNanos(around.settings());
        return beat - over < 0 ? beat : over;
    }

    /** Ends it with the client, which sends what is to be ended itself. */
    void close(Closing closing, long now, Outbox out) {
        if (state instanceof Ended ended) {
            ended.ending().close(closing, now);
        } else if (isLive()) {
            closing.release(around.release(id, hold, false, now));
            lose(LossCause.CLIENT_CLOSED, now, out);
        }
        state = OVER;
    }
}
