package dev.baton.internal.engine;

import dev.baton.BatonEvent;
import dev.baton.LossCause;
import dev.baton.spi.Acquire;
import dev.baton.spi.Cancel;
import dev.baton.spi.Heartbeat;
import dev.baton.spi.Protocol;
import dev.baton.spi.Push;
import dev.baton.spi.Resource;
import dev.baton.spi.Stamp;
import dev.baton.spi.StoreFailure;
import java.util.Objects;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * One client's side of one resource: a state machine that takes events and fills an {@link Outbox}.
 *
 * <pre>
 *            acquire            granted               release: no waiter here, or this client's turn is over
 *   IDLE ───────────▶ ASKING ───────────▶ HELD ───────────────────────────────▶ ENDING ──▶ IDLE, or ASKING
 *          no answer, │   │ ▲ stale,        ▲ │ release, a waiter here: stays HELD (local hand-off)    for a waiter
 *            no queue │   │ │ gone          │ │ lost: ASKING for a waiter, else IDLE
 *   PAUSED ◀──────────┤   ▼ │      granted  │ ▼
 *     │ time          │  QUEUED ────────────┘
 *     └──▶ ASKING     └──▶ ENDING (undo: the attempt may have been granted)
 * </pre>
 *
 * <p>Callers queue here. The client has one attempt at the store, which no caller owns: when one gives up, the next
 * inherits it. It ignores late answers to abandoned commands (by identity), pushes without the attempt's secret (it
 * believes others as far as their server's last answer allows) and heartbeat answers for a hold that is gone. One lock
 * guards all state and is never held over I/O or user code. Idle resources are forgotten.
 */
final class LocalResource {
    private enum State {
        IDLE,
        ASKING,
        QUEUED,
        HELD,
        ENDING,
        PAUSED
    }

    private final OneAtATime events = new OneAtATime(this::forgetIfIdle);
    private final Engine engine;
    private final Resource id;
    private final WaitQueue waitQueue;
    private final Holding holding;
    private State state = State.IDLE;
    private boolean retired;

    /** ASKING, QUEUED: the attempt's request. */
    private Command.@Nullable Ask asked;

    /** QUEUED: presence and polls. */
    private @Nullable TicketBeat ticket;

    /** ENDING. */
    private @Nullable PendingRelease ending;

    /** ENDING and PAUSED without a command in flight: when to go on. */
    private long resumeNanos;

    /** A push that arrived before the answer to its acquire. */
    private @Nullable Push earlyPush;

    LocalResource(Engine engine, Resource id) {
        this.engine = engine;
        this.id = id;
        this.waitQueue = new WaitQueue(engine, id);
        this.holding = new Holding(engine, this, waitQueue);
    }

    String name() {
        return id.name();
    }

    Resource id() {
        return id;
    }

    Clock clock() {
        return engine.clock();
    }

    private long now() {
        return engine.clock().nanos();
    }

    private void forgetIfIdle() {
        if (state == State.IDLE && waitQueue.isEmpty() && !retired) {
            retired = true;
            engine.forget(this);
        }
    }

    // ---- callers -------------------------------------------------------------------------------------------------

    /** Takes a caller; false if this object was forgotten meanwhile and the engine must create another. */
    boolean acquire(Waiter waiter, Outbox out) {
        return events.run(() -> {
            if (retired) {
                return false;
            }
            waiter.resource = this;
            waiter.startNanos = now();
            holding.loseIfOver(waiter.startNanos, out);
            Waiter.Outcome known = waitQueue.knownOutcome(waiter, state == State.HELD, ticket);
            if (known != null) {
                waitQueue.settle(waiter, known, out);
            } else {
                enqueue(waiter, out);
            }
            return true;
        });
    }

    private void enqueue(Waiter waiter, Outbox out) {
        Grant owner = holding.owner();
        if (owner != null && waiter.thread != null && waiter.thread == owner.thread()) {
            waitQueue.waitsForItself(waiter, owner);
        }
        if (isHeldOrQueued()) {
            waitQueue.noteBusy();
        }
        waitQueue.add(waiter);
        if (state == State.IDLE) {
            ask(out);
        }
    }

    /** Removes a caller that is out of time, interrupted or cancelled. No effect if it has its outcome already. */
    void giveUp(Waiter waiter, BatonEvent.Reason reason, Outbox out) {
        events.run(() -> {
            if (waiter.outcome() != null) {
                return;
            }
            waitQueue.giveUp(waiter, isHeldOrQueued(), reason, out);
            if (waitQueue.isEmpty() && state == State.QUEUED) {
                undo(out);
            } else if (waitQueue.isEmpty() && state == State.PAUSED) {
                state = State.IDLE;
            } else {
                holding.endIfUnwanted(out);
            }
        });
    }

    private boolean isHeldOrQueued() {
        return state == State.HELD || waitQueue.arePolling() || (ticket != null && ticket.recovering == null);
    }

    // ---- asking --------------------------------------------------------------------------------------------------

    private void ask(Outbox out) {
        Waiter head = waitQueue.nextToAsk();
        Acquire.Mode mode = waitQueue.mode();
        state = State.ASKING;
        earlyPush = null;
        asked = Command.Ask.of(engine, this, head, mode);
        out.send(asked);
    }

    void askOrRest(Outbox out) {
        asked = null;
        ticket = null;
        if (waitQueue.isEmpty()) {
            state = State.IDLE;
        } else {
            ask(out);
        }
    }

    void onAcquireReply(Command.Ask command, Acquire.Reply reply, Belief.Sync sync, Outbox out) {
        events.run(() -> {
            if (asked != command || state != State.ASKING) {
                return;
            }
            waitQueue.answered();
            if (reply instanceof Acquire.Granted granted) {
                hold(granted.token(), granted.deadlineMicros(), sync, true, out);
            } else if (reply instanceof Acquire.Queued queued) {
                queued(queued, sync, out);
            } else {
                askAfter(waitQueue.refused(reply, command.acquire.mode(), out), out);
            }
        });
    }

    void onAcquireFailed(Command.Ask command, StoreFailure failure, Outbox out) {
        events.run(() -> {
            if (asked != command || state != State.ASKING) {
                return;
            }
            if (!command.ranOutOfHurry()) {
                waitQueue.unanswered(failure, command.sentNanos(), out);
                waitQueue.failTrying(waitQueue.unanswered(), out);
            }
            if (failure.effect() == StoreFailure.Effect.UNKNOWN) {
                undo(out);
            } else {
                askAfter(waitQueue.pauseNanos(), out);
            }
            wakeForNext();
        });
    }

    private void askAfter(long pauseNanos, Outbox out) {
        if (pauseNanos == 0) {
            askOrRest(out);
            return;
        }
        asked = null;
        state = waitQueue.isEmpty() ? State.IDLE : State.PAUSED;
        resumeAfter(pauseNanos);
    }

    private void resumeAfter(long pauseNanos) {
        resumeNanos = now() + pauseNanos;
        engine.wakeAt(resumeNanos);
    }

    // ---- queueing ------------------------------------------------------------------------------------------------

    private long attempt() {
        return Objects.requireNonNull(asked).acquire.attempt().value();
    }

    private void queued(Acquire.Queued place, Belief.Sync sync, Outbox out) {
        if (sync.stamp().graceMicros() > 0) {
            waitQueue.failTrying(waitQueue.recovering(sync.stamp()), out);
        } else {
            waitQueue.refuseTrying(out);
        }
        if (waitQueue.isEmpty()) {
            undo(out);
            return;
        }
        state = State.QUEUED;
        ticket = new TicketBeat(engine.settings(), now());
        ticket.answered(sync, now(), place.position(), place.remainingMicros());
        if (earlyPush != null) {
            take(earlyPush, out);
        }
        wakeForNext();
    }

    void onPush(Push push, Outbox out) {
        events.run(() -> {
            if (asked == null || push.attempt() != attempt()) {
                return;
            }
            if (push.secret() != asked.acquire.secret()) {
                engine.countForged(out);
            } else if (state == State.ASKING) {
                earlyPush = push;
            } else if (state == State.QUEUED) {
                take(push, out);
            }
        });
    }

    /** A push is a hint: its server's last answer says how long to believe it; without one, the store is asked. */
    private void take(Push push, Outbox out) {
        Belief belief = engine.beliefIn(push);
        if (belief == null) {
            Objects.requireNonNull(ticket).beatNow();
            wakeForNext();
        } else {
            Stamp now = new Stamp(push.runId(), push.nowMicros(), 0);
            begin(newHold(push.token(), push.deadlineMicros(), now, belief, false), out);
        }
    }

    void onTicketReply(long attempt, Heartbeat.TicketReply reply, Belief.Sync sync, Outbox out) {
        events.run(() -> {
            TicketBeat beat = ticket;
            if (state != State.QUEUED || beat == null || attempt() != attempt) {
                return;
            }
            waitQueue.answered();
            if (reply instanceof Heartbeat.Waiting waiting) {
                beat.answered(sync, now(), waiting.position(), waiting.remainingMicros());
                waitQueue.noteBusy();
                wakeForNext();
            } else if (reply instanceof Heartbeat.TicketGranted granted) {
                hold(granted.token(), granted.deadlineMicros(), sync, false, out);
            } else {
                askOrRest(out);
            }
        });
    }

    // ---- holding -------------------------------------------------------------------------------------------------

    /** Takes a grant that the store answered with. */
    private void hold(long storeToken, long deadlineMicros, Belief.Sync sync, boolean claimed, Outbox out) {
        Belief belief = Belief.of(sync, deadlineMicros, engine.settings().trustNanos());
        if (storeToken > Protocol.MAX_STORE_TOKEN) {
            waitQueue.fail(WaitQueue.impossibleToken(id, storeToken), out);
        } else if (belief.isOver(now())) {
            waitQueue.overOnArrival(sync.sentNanos(), out);
        }
        begin(newHold(storeToken, deadlineMicros, sync.stamp(), belief, claimed), out);
    }

    private Hold newHold(long storeToken, long deadlineMicros, Stamp stamp, Belief belief, boolean claimed) {
        Hold granted = new Hold(
                Objects.requireNonNull(asked),
                storeToken,
                belief,
                claimed,
                engine.settings().hasQueue(),
                now());
        granted.knownAt(stamp, deadlineMicros);
        return granted;
    }

    private void begin(Hold granted, Outbox out) {
        asked = null;
        ticket = null;
        state = State.HELD;
        holding.begin(granted, out);
        wakeForNext();
    }

    /** Runs a grant's step on the present hold, under the lock. */
    <T extends @Nullable Object> T atHolding(Function<Holding, T> step) {
        return events.run(() -> step.apply(holding));
    }

    void onHoldReply(Heartbeat.Hold named, Heartbeat.HoldReply reply, Belief.Sync sync, Outbox out) {
        events.run(() -> {
            waitQueue.answered();
            holding.answered(named, reply, sync, out);
            wakeForNext();
        });
    }

    void onBeatFailed(StoreFailure failure, Outbox out) {
        events.run(() -> {
            Hold held = holding.current();
            if (held != null) {
                holding.beatFailed(held, now(), out);
            } else if (ticket != null) {
                ticket.failed(now());
                waitQueue.unanswered(failure, now(), out);
                if (waitQueue.isEmpty()) {
                    undo(out);
                }
            }
            wakeForNext();
        });
    }

    // ---- ending and undoing --------------------------------------------------------------------------------------

    /** Releases a hold that no caller here wants any more. */
    void end(Hold held, @Nullable Releasing releasing, Outbox out) {
        startEnding(held.attempt, held.request, held.belief.storeEndNanos(), now() - held.grantedNanos)
                .send(new Command.Free(engine, this, holding.toRelease(held), releasing), out);
    }

    private void undo(Outbox out) {
        PendingRelease undoing = startEnding(attempt(), Objects.requireNonNull(asked).request, now(), 0);
        asked = null;
        ticket = null;
        undoing.sendUndo(engine, this, out);
    }

    private PendingRelease startEnding(long attempt, HoldRequest request, long storeEndNanos, long turnNanos) {
        state = State.ENDING;
        PendingRelease started =
                new PendingRelease(attempt, request, engine.settings(), now(), storeEndNanos, turnNanos);
        ending = started;
        return started;
    }

    void onFreed(Command command, Outbox out) {
        events.run(() -> {
            if (ending != null && ending.returned(command)) {
                waitQueue.answered();
                endEnding(out);
            }
        });
    }

    private void endEnding(Outbox out) {
        long turnNanos = Objects.requireNonNull(ending).turnNanos;
        ending = null;
        askAfter(Math.max(waitQueue.yieldNanos(turnNanos), waitQueue.latePauseNanos()), out);
    }

    void onUndoFailed(Command command, StoreFailure failure, Outbox out) {
        events.run(() -> {
            if (ending == null || !ending.returned(command)) {
                return;
            }
            waitQueue.unanswered(failure, command.sentNanos(), out);
            wakeForNext();
            if (ending.isOver(now())) {
                engine.warnOfUndoing(name(), out);
                endEnding(out);
            } else {
                resumeAfter(waitQueue.pauseNanos());
            }
        });
    }

    // ---- time ----------------------------------------------------------------------------------------------------

    /** Does the work that is due, adds a heartbeat if one is due, and returns the time of the next tick. */
    long tick(long now, HeartbeatBatch batch, Outbox out) {
        return events.run(() -> {
            holding.loseIfOver(now, out);
            waitQueue.tick(now, holding.owner(), out);
            resumeIfDue(now, out);
            Hold held = holding.current();
            if (held != null && held.isBeatDue(engine.settings(), now)) {
                batch.add(
                        this,
                        held.beat(id, holding.isBelieved(held, now), now),
                        held.beatTimeoutNanos(engine.settings()));
            } else if (ticket != null && ticket.isDue(now)) {
                ticket.sent();
                batch.add(this, new Heartbeat.Ticket(id, attempt()));
            }
            return nextNanos(now);
        });
    }

    private void resumeIfDue(long now, Outbox out) {
        if (resumeNanos - now > 0) {
            return;
        }
        if (state == State.PAUSED) {
            askOrRest(out);
        } else if (ending != null && !ending.isOnItsWay()) {
            ending.sendUndo(engine, this, out);
        }
    }

    private long nextNanos(long now) {
        long due = nextDueNanos(now);
        long overdue = waitQueue.nextNanos(now);
        return overdue - due < 0 ? overdue : due;
    }

    private long nextDueNanos(long now) {
        if (holding.current() != null) {
            return holding.nextNanos(holding.current());
        }
        if (ticket != null) {
            return ticket.dueNanos();
        }
        boolean resumes = state == State.PAUSED || (ending != null && !ending.isOnItsWay());
        return resumes ? resumeNanos : now + Engine.FAR_NANOS;
    }

    private void wakeForNext() {
        engine.wakeAt(nextNanos(now()));
    }

    Command confirmation(Grant grant) {
        return engine.confirmation(this, grant);
    }

    /** Asks the store at once about the hold or ticket, because the server changed or pushes may be missing. */
    void askAgain() {
        events.run(() -> {
            Hold held = holding.current();
            if (held != null) {
                held.wantBeat(false);
            } else if (ticket != null) {
                ticket.beatNow();
            }
        });
    }

    /** Closes: fails all waiters, and hands the hold or attempt at the store to the caller, who ends it. */
    void close(Closing closing, Outbox out) {
        events.run(() -> {
            waitQueue.fail(engine.closedException(), out);
            Hold held = holding.current();
            if (held != null) {
                closing.release(holding.toRelease(held));
                holding.lose(LossCause.CLIENT_CLOSED, out);
            } else if (asked != null || ending != null) {
                long attempt = ending != null ? ending.attempt : attempt();
                closing.cancel(new Cancel(id, attempt, engine.nextNumber()));
            }
            asked = null;
            ending = null;
            ticket = null;
            state = State.IDLE;
        });
    }
}
