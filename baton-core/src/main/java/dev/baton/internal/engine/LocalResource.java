package dev.baton.internal.engine;

import dev.baton.BatonEvent;
import dev.baton.LossCause;
import dev.baton.ReleaseOutcome;
import dev.baton.spi.Acquire;
import dev.baton.spi.CommandNumber;
import dev.baton.spi.Heartbeat;
import dev.baton.spi.Kind;
import dev.baton.spi.Note;
import dev.baton.spi.Protocol;
import dev.baton.spi.Push;
import dev.baton.spi.Resource;
import dev.baton.spi.Stamp;
import dev.baton.spi.StoreFailure;
import dev.baton.spi.WriteNote;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * One client's side of one resource: callers that wait, an {@link Asking} side, and a {@link Holding} for each hold.
 * These do not know each other; this class takes an event to the one that it is for, and {@link #proceed} then decides
 * what follows from all of them. It takes events and fills an {@link Outbox}.
 *
 * <p>One lock guards all of it and is never held over I/O or user code. The {@link Engine} takes the lock for each event.
 */
final class LocalResource {
    private static final long EXTEND_MARGIN_NANOS = 50_000_000;
    private static final Holding[] NONE = {};

    private final ReentrantLock lock = new ReentrantLock();
    private final Surroundings around;
    private final Resource id;
    private final PassingOn policy;
    private final WaitQueue waitQueue;
    private final Asking asking;

    /** An array, because it is walked at every event, and iterators would be garbage. */
    private Holding[] holdings = NONE;

    private boolean retired;

    LocalResource(Surroundings around, PassingOn policy, Resource id) {
        this.around = around;
        this.id = id;
        this.policy = policy;
        this.waitQueue = new WaitQueue(around, id);
        this.asking = new Asking(around, id);
    }

    String name() {
        return id.name();
    }

    /** Begins an event; false if this object was forgotten meanwhile. */
    boolean enter() {
        lock.lock();
        if (retired) {
            lock.unlock();
        }
        return !retired;
    }

    /** Ends an event; returns whether nothing is left here, and this object is to be forgotten. */
    boolean leave() {
        boolean idle = retired;
        lock.unlock();
        return idle;
    }

    /** Draws the conclusions from an event: asks the store, gives back holds that no caller wants, and sets the timer. */
    void proceed(long now, Outbox out) {
        if (waitQueue.isEmpty()) {
            asking.unwanted(now, out);
            for (Holding each : holdings) {
                each.unwanted(now, out);
            }
        } else if (asking.isQueuedForOtherThan(waitQueue.first().request)) {
            // The heir would wait for more than it needs, and so would all callers behind it; or it would get less.
            asking.undo(now, out);
        }
        if (!waitQueue.isEmpty()) {
            asking.inherit(waitQueue.first(), now);
        }
        forgetEnded();
        if (asking.isIdle()) {
            if (holdings.length == 0 && waitQueue.isEmpty()) {
                retired = true;
                return;
            }
            if (!waitQueue.isEmpty() && mayAsk()) {
                asking.ask(waitQueue.nextToAsk(), waitQueue.mode(), out);
            }
        }
        long next = nextNanos(now);
        if (next - now < EngineSettings.FAR_NANOS / 2) {
            out.wakeAt(next);
        }
    }

    /**
     * Whether the store may have room beside the holds here. A hold that passes on goes to the head of the queue
     * first.
     */
    private boolean mayAsk() {
        if (isExclusive()) {
            return holdings.length == 0;
        }
        for (Holding each : holdings) {
            if (each.isPassing()) {
                return false;
            }
        }
        return true;
    }

    /** Whether one hold leaves no room for another. */
    private boolean isExclusive() {
        return id.capacity() == 1;
    }

    private void forgetEnded() {
        int left = 0;
        for (Holding each : holdings) {
            left += each.isOver() ? 0 : 1;
        }
        if (left == 0) {
            holdings = NONE;
        } else if (left < holdings.length) {
            holdings = Arrays.stream(holdings).filter(each -> !each.isOver()).toArray(Holding[]::new);
        }
    }

    private long nextNanos(long now) {
        long next = earlierOf(asking.nextNanos(now), waitQueue.nextNanos(now));
        for (Holding each : holdings) {
            next = earlierOf(next, each.nextNanos(now));
        }
        return next;
    }

    private static long earlierOf(long a, long b) {
        return a - b < 0 ? a : b;
    }

    /** The machine of a hold; null if the hold has ended here. */
    private @Nullable Holding liveHolding(long attempt) {
        for (Holding each : holdings) {
            if (each.hold().attempt == attempt && each.isLive()) {
                return each;
            }
        }
        return null;
    }

    private boolean isHeldHere() {
        for (Holding each : holdings) {
            if (each.isLive()) {
                return true;
            }
        }
        return false;
    }

    /** Loses what is over now, though no timer may have noticed it yet. */
    void loseWhatIsOver(long now, Outbox out) {
        for (Holding each : holdings) {
            each.loseIfOver(now, out);
        }
    }

    // ---- callers -------------------------------------------------------------------------------------------------

    /** Takes a caller that asks for this name, with the kind and capacity that it has in mind. */
    void acquire(Resource asked, Waiter waiter, long now, Outbox out) {
        waiter.asked = asked;
        waiter.startNanos = now;
        waiter.flight = Flight.waiting();
        loseWhatIsOver(now, out);
        Waiter.Outcome known = knownOutcome(asked, waiter, now, out);
        if (known != null) {
            waitQueue.settle(waiter, known, now, out);
        } else if (waiter.outcome() == null) {
            noteWhatIsInTheWay(waiter, now);
            waitQueue.add(waiter);
        }
    }

    /** A caller's outcome if it is known at once. It may have got a share of what is held here instead. */
    private Waiter.@Nullable Outcome knownOutcome(Resource asked, Waiter waiter, long now, Outbox out) {
        if (!asked.equals(id)) {
            return new Waiter.Failed(InUse.as(id, asked));
        }
        if (waitsForItsOwnOtherKind(waiter)) {
            return new Waiter.Failed(WaitQueue.waitsForItself(id, waiter.request.shared()));
        }
        if (waiter.request.shared() && isShared(waiter, now, out)) {
            return null;
        }
        return waitQueue.knownOutcome(waiter, isFullFor(waiter), asking.ticket(), now);
    }

    /**
     * Lets a caller have a shared hold, too, if none waits before it. A thread that has the hold already gets it again
     * at once: behind a writer it would wait for itself.
     */
    private boolean isShared(Waiter waiter, long now, Outbox out) {
        for (Holding each : holdings) {
            if (waiter.outcome() == null && (waitQueue.isEmpty() || each.isHeldBy(waiter.thread))) {
                each.shareWith(waiter, now, out);
            }
        }
        return waiter.outcome() != null;
    }

    /** Whether what is held here leaves no room for a caller, so that the store need not be asked. */
    private boolean isFullFor(Waiter waiter) {
        long used = waiter.request.weight();
        for (Holding each : holdings) {
            used += each.isLive() ? each.hold().request.weight() : 0;
        }
        return used > id.capacity();
    }

    /** Whether a thread reads and asks to write, or the reverse: it would wait for ever. */
    private boolean waitsForItsOwnOtherKind(Waiter waiter) {
        Grant own = id.kind() == Kind.READ_WRITE ? ownedBy(waiter.thread) : null;
        return own != null && own.isShared() != waiter.request.shared();
    }

    int heldLeases() {
        int held = 0;
        for (Holding each : holdings) {
            for (Grant owner : each.owners()) {
                held += owner.isHeld() ? 1 : 0;
            }
        }
        return held;
    }

    int waitingCallers() {
        return waitQueue.size();
    }

    /** Whether a thread has it, or has it unless the store says otherwise. */
    boolean isHeldBy(Thread thread) {
        Grant own = ownedBy(thread);
        return own != null && (own.isHeld() || own.isUncertain());
    }

    /** What a thread acquired itself and has; the first if it is several. It never has both sides of a read-write lock. */
    private @Nullable Grant ownedBy(@Nullable Thread thread) {
        if (thread != null) {
            for (Holding each : holdings) {
                for (Grant owner : each.owners()) {
                    if (owner.thread() == thread) {
                        return owner;
                    }
                }
            }
        }
        return null;
    }

    private void noteWhatIsInTheWay(Waiter waiter, long now) {
        Grant own = ownedBy(waiter.thread);
        if (own != null && !fitsBesideItsOwn(waiter)) {
            waitQueue.waitsForItself(waiter, own, now);
        }
        if (isHeldOrQueued()) {
            waitQueue.noteBusy(now);
        }
    }

    /**
     * Whether a caller may succeed while its thread keeps its leases. A reader may not: a writer may come between, and
     * wait for those leases.
     */
    private boolean fitsBesideItsOwn(Waiter waiter) {
        long used = waiter.request.weight();
        for (Holding each : holdings) {
            used += each.isHeldBy(waiter.thread) ? each.hold().request.weight() : 0;
        }
        return id.kind() == Kind.SEMAPHORE && used <= id.capacity();
    }

    /** Removes a caller that is out of time, interrupted or cancelled. No effect if it has its outcome already. */
    void giveUp(Waiter waiter, BatonEvent.Reason reason, long now, Outbox out) {
        if (waiter.outcome() == null) {
            waitQueue.giveUp(waiter, isHeldOrQueued(), asking.ticket() != null, reason, now, out);
        }
    }

    private boolean isHeldOrQueued() {
        return (isExclusive() && isHeldHere()) || waitQueue.arePolling() || isBehindAHolder();
    }

    /** Whether the callers here have a ticket, and another holder was seen when that was last answered. */
    private boolean isBehindAHolder() {
        return asking.ticket() != null && !waitQueue.isRecovering();
    }

    // ---- asking --------------------------------------------------------------------------------------------------

    void onAcquireReply(Command.Ask command, Acquire.Reply reply, Belief.Sync sync, long now, Outbox out) {
        if (!asking.awaits(command)) {
            return;
        }
        long remaining = reply instanceof Acquire.Queued place ? place.remainingMicros() : 0;
        waitQueue.answered(sync.stamp(), remaining, now);
        if (reply instanceof Acquire.Granted granted) {
            hold(command, granted.token(), granted.deadlineMicros(), sync, true, now, out);
        } else if (reply instanceof Acquire.Queued place) {
            queued(command, place, now, out);
        } else {
            asking.pause(waitQueue.refused(reply, command.acquire.mode(), now, out), now);
        }
    }

    private void queued(Command.Ask command, Acquire.Queued place, long now, Outbox out) {
        waitQueue.queued(now, out);
        Push early = asking.queued(command, place, now);
        if (early != null && !waitQueue.isEmpty()) {
            onPush(early, now, out);
        }
    }

    void onAcquireFailed(Command.Ask command, StoreFailure failure, long now, Outbox out) {
        if (!asking.awaits(command)) {
            return;
        }
        if (!command.ranOutOfHurry(now)) {
            waitQueue.unanswered(failure, command.sentNanos(), now, out);
            waitQueue.failTrying(waitQueue.unanswered(), now, out);
        }
        if (failure.effect() == StoreFailure.Effect.UNKNOWN) {
            asking.undo(now, out);
        } else {
            asking.pause(waitQueue.pauseNanos(), now);
        }
    }

    /** A push is a hint: its server's last answer says how long to believe it; without one, the store is asked. */
    void onPush(Push push, long now, Outbox out) {
        Command.Ask granted = asking.pushed(push, out);
        if (granted == null) {
            return;
        }
        Belief belief = around.beliefIn(push, now);
        if (belief == null) {
            asking.askAgain();
        } else {
            Stamp stamp = new Stamp(push.runId(), push.nowMicros(), 0);
            begin(newHold(granted, push.token(), push.deadlineMicros(), stamp, belief, false, now), now, out);
        }
    }

    void onTicketReply(Heartbeat.Ticket named, Heartbeat.TicketReply reply, Belief.Sync sync, long now, Outbox out) {
        Command.Ask command = asking.queuedAs(named.attempt());
        TicketBeat beat = asking.ticket();
        if (command == null || beat == null) {
            return;
        }
        long remaining = reply instanceof Heartbeat.Waiting waiting ? waiting.remainingMicros() : 0;
        waitQueue.answered(sync.stamp(), remaining, now);
        if (reply instanceof Heartbeat.Waiting waiting) {
            beat.told(named.description());
            beat.answered(now, waiting.position(), waiting.remainingMicros());
            waitQueue.noteBusy(now);
        } else if (reply instanceof Heartbeat.TicketGranted granted) {
            hold(command, granted.token(), granted.deadlineMicros(), sync, false, now, out);
        } else {
            asking.over();
        }
    }

    void onTicketBeatFailed(long attempt, StoreFailure failure, long now, Outbox out) {
        TicketBeat beat = asking.ticket();
        if (asking.queuedAs(attempt) != null && beat != null) {
            beat.failed(now);
            waitQueue.unanswered(failure, now, now, out);
        }
    }

    // ---- holding -------------------------------------------------------------------------------------------------

    /** Takes a grant that the store answered with. */
    private void hold(
            Command.Ask command,
            long storeToken,
            long deadlineMicros,
            Belief.Sync sync,
            boolean claimed,
            long now,
            Outbox out) {
        Belief belief = Belief.of(sync, deadlineMicros, around.settings().trustNanos());
        if (storeToken > Protocol.MAX_STORE_TOKEN) {
            waitQueue.fail(WaitQueue.impossibleToken(id, storeToken), now, out);
        } else if (belief.isOver(now)) {
            waitQueue.overOnArrival(sync.sentNanos(), now, out);
        }
        begin(newHold(command, storeToken, deadlineMicros, sync.stamp(), belief, claimed, now), now, out);
    }

    private Hold newHold(
            Command.Ask command,
            long storeToken,
            long deadlineMicros,
            Stamp stamp,
            Belief belief,
            boolean claimed,
            long now) {
        boolean hasQueue = around.settings().hasQueue();
        Hold granted = new Hold(command.acquire, command.request, storeToken, belief, claimed, hasQueue, now);
        granted.knownAt(stamp, deadlineMicros);
        if (!claimed && around.settings().confirmsHandOffs()) {
            granted.mustBeConfirmed();
        }
        return granted;
    }

    private void begin(Hold granted, long now, Outbox out) {
        asking.over();
        Holding begun = new Holding(around, id, waitQueue, policy, granted);
        holdings = Arrays.copyOf(holdings, holdings.length + 1);
        holdings[holdings.length - 1] = begun;
        begun.begin(now, out);
    }

    @Nullable
    ReleaseOutcome release(Grant grant, Releasing releasing, long now, Outbox out) {
        if (grant.isReleased()) {
            return ReleaseOutcome.NOT_HELD;
        }
        // A thread that releases its lease need not be interrupted any more.
        grant.doNotInterrupt();
        loseWhatIsOver(now, out);
        LossCause loss = grant.loss();
        grant.markReleased();
        Holding holding = liveHolding(grant.hold().attempt);
        if (loss == null && holding != null) {
            holding.hold().keptAfter(releasing, now);
            return holding.release(grant, releasing, now, out);
        }
        if (holding == null) {
            freeIfForgotten(grant, out);
        }
        boolean over = loss == LossCause.EXPIRED || loss == LossCause.STORE_UNREACHABLE;
        return over ? ReleaseOutcome.EXPIRED : ReleaseOutcome.NOT_HELD;
    }

    void onHoldReply(Heartbeat.Hold named, Heartbeat.HoldReply reply, Belief.Sync sync, long now, Outbox out) {
        waitQueue.answered();
        Holding holding = liveHolding(named.attempt());
        if (holding != null) {
            holding.answered(named, reply, sync, now, out);
        }
        if (reply instanceof Heartbeat.Renewed && isForgotten(named.attempt())) {
            around.sendStray(named, out);
        }
    }

    void onHoldBeatFailed(long attempt, long now, Outbox out) {
        Holding holding = liveHolding(attempt);
        if (holding != null) {
            holding.beatFailed(now, out);
        }
    }

    /** Returns the heartbeat that asks for a longer deadline; null if there is nothing to ask. */
    Command.@Nullable Beat extend(Grant grant, long atLeastNanos, long now) {
        Holding holding = liveHolding(grant.hold().attempt);
        if (holding == null
                || !holding.owners().contains(grant)
                || !grant.isHeld()
                || grant.endsNotBefore(now + atLeastNanos)) {
            return null;
        }
        // A little more, to make up for drift, margin and the round trip; never beyond maxHold.
        long asked = Math.min(atLeastNanos + atLeastNanos / 50 + EXTEND_MARGIN_NANOS, grant.lastNanos() - now);
        return single(grant.hold().entry(id, asked, true), new Command.Beat.Extending(grant, asked));
    }

    /** A write of the name's note by the holder; null if it does not hold. */
    Command.@Nullable Write write(Grant grant, byte[] bytes) {
        Holding holding = liveHolding(grant.hold().attempt);
        if (holding == null || !holding.owners().contains(grant) || !grant.isHeld()) {
            return null;
        }
        // Drawn under this lock: a later write of the same lease has a greater number.
        Note note = new Note(grant.token(), around.drawnNumber().value(), bytes);
        WriteNote write = new WriteNote(id, grant.hold().attempt, grant.hold().storeToken, note);
        grant.hold().writes(note.number());
        return new Command.Write(write, around.settings().silenceNanos());
    }

    /** The store has taken a note. */
    void written(WriteNote write) {
        Holding holding = liveHolding(write.attempt());
        if (holding != null) {
            holding.hold().written(write.note().number());
        }
    }

    /** A heartbeat that only confirms one hold, for a caller that cannot go on without the answer. */
    Command.Beat confirmation(Grant grant) {
        return single(grant.hold().entry(id, 0, false), null);
    }

    private Command.Beat single(Heartbeat.Hold entry, Command.Beat.@Nullable Extending extending) {
        CommandNumber number = around.drawnNumber();
        Heartbeat heartbeat = new Heartbeat(number, List.of(entry), List.of());
        return new Command.Beat(heartbeat, extending, around.settings().silenceNanos());
    }

    /** Takes a longer deadline; frees a lost hold whose end the extension has moved far away. */
    void extended(Grant grant, long untilNanos, Outbox out) {
        grant.extendTo(untilNanos);
        if (grant.loss() != null) {
            freeIfForgotten(grant, out);
        }
    }

    /** Frees a hold that this client has lost and the store may still have, unless its end is on the way. */
    private void freeIfForgotten(Grant grant, Outbox out) {
        if (isForgotten(grant.hold().attempt)) {
            around.sendStray(id, grant.hold(), out);
        }
    }

    /** Whether a hold is neither live here nor being ended. */
    private boolean isForgotten(long attempt) {
        for (Holding each : holdings) {
            if (each.hold().attempt == attempt && !each.isOver()) {
                return false;
            }
        }
        return true;
    }

    /** Makes a reader of a writer; returns whether it holds still. */
    boolean downgrade(Grant grant, long now, Outbox out) {
        loseWhatIsOver(now, out);
        Holding holding = liveHolding(grant.hold().attempt);
        if (holding == null || !holding.owners().contains(grant)) {
            return false;
        }
        if (grant.isWriter()) {
            holding.downgrade(now, out);
        }
        return true;
    }

    /** Stops the renewal of a grant that its caller can no longer reach. No effect if it is not the present one. */
    void abandon(Grant grant, long now, Outbox out) {
        Holding holding = liveHolding(grant.hold().attempt);
        if (holding != null && holding.abandon(grant)) {
            around.reports().abandoned(grant, now, out);
        }
    }

    /** Asks the store soon, because the wall clock ran ahead: the machine slept, or its clock was set. */
    void confirmSoon(Grant grant) {
        Holding holding = liveHolding(grant.hold().attempt);
        if (holding != null) {
            holding.askAgain();
        }
    }

    void addLossAction(Grant grant, Consumer<LossCause> action, long now, Outbox out) {
        loseWhatIsOver(now, out);
        LossCause loss = grant.loss();
        if (grant.isOpen()) {
            grant.addLossAction(action);
        } else if (loss != null && !grant.isReleased()) {
            out.call(Driver.Kind.LOSS, () -> action.accept(loss));
        }
    }

    /** Loses the present holds as if their time were over. */
    void expire(long now, Outbox out) {
        for (Holding each : holdings) {
            if (each.isLive()) {
                each.lose(LossCause.EXPIRED, now, out);
            }
        }
    }

    // ---- ending and undoing --------------------------------------------------------------------------------------

    /** The store has answered a release or an undo: the attempt is gone there. */
    void onFreed(Command command, long now) {
        Ending undoing = asking.undoing(command);
        if (undoing != null) {
            // This does not end the row of failures: a store may answer each undo and no request.
            asking.over();
            endTurn(undoing, now);
            return;
        }
        for (Holding each : holdings) {
            Ending ending = each.ending(command);
            if (ending != null) {
                waitQueue.answered();
                each.over();
                endTurn(ending, now);
            }
        }
    }

    /** Lets other clients have their turn, and does not ask again at once for what came too late. */
    private void endTurn(Ending ending, long now) {
        if (asking.isIdle()) {
            asking.pause(Math.max(waitQueue.yieldNanos(ending.turnNanos(), now), waitQueue.latePauseNanos()), now);
        }
    }

    void onUndoFailed(Command command, StoreFailure failure, long now, Outbox out) {
        Ending undoing = asking.undoing(command);
        if (undoing != null && isGivenUp(undoing, command, failure, now, out)) {
            asking.over();
            endTurn(undoing, now);
        }
        for (Holding each : holdings) {
            Ending ending = each.ending(command);
            if (ending != null && isGivenUp(ending, command, failure, now, out)) {
                each.over();
                endTurn(ending, now);
            }
        }
    }

    private boolean isGivenUp(Ending ending, Command command, StoreFailure failure, long now, Outbox out) {
        waitQueue.unanswered(failure, command.sentNanos(), now, out);
        boolean givenUp = !ending.restAfterFailure(waitQueue.pauseNanos(), now);
        if (givenUp) {
            around.reports().undoingGivenUp(name(), out);
        }
        return givenUp;
    }

    // ---- time ----------------------------------------------------------------------------------------------------

    /** Does the work that is due, and adds the heartbeats that are due. */
    void tick(long now, HeartbeatBatch batch, Outbox out) {
        waitQueue.tick(now, out);
        for (Holding each : holdings) {
            each.tick(now, batch, out);
        }
        asking.tick(now, batch, out);
    }

    /** Asks the store at once about holds and ticket, because the server changed or pushes may be missing. */
    void askAgain() {
        asking.askAgain();
        for (Holding each : holdings) {
            each.askAgain();
        }
    }

    /** Closes: fails all waiters, and hands the holds and the attempt at the store to the caller, who ends them. */
    void close(Closing closing, long now, Outbox out) {
        waitQueue.fail(around.closedException(), now, out);
        for (Holding each : holdings) {
            each.close(closing, now, out);
        }
        asking.close(closing, now);
    }
}
