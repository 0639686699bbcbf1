package dev.baton.internal.engine;

import dev.baton.BatonEvent;
import dev.baton.BatonException;
import dev.baton.StoreException;
import dev.baton.TooManyWaitersException;
import dev.baton.internal.Exceptions;
import dev.baton.spi.Acquire;
import dev.baton.spi.Resource;
import dev.baton.spi.Stamp;
import dev.baton.spi.StoreFailure;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * The callers of this client that wait for one resource, and what they may be told. Three answers, never two: a caller
 * hears “held by another” only if somebody was seen to have it while that caller waited, and the store answers now.
 * Guarded by the resource's lock.
 */
final class WaitQueue {
    private final Engine engine;
    private final Resource id;
    private final WaiterQueue waiters = new WaiterQueue();
    private final FailureStreak failures = new FailureStreak();

    /** Grants that were over when they arrived, since the last one that was not. */
    private final FailureStreak late = new FailureStreak();

    private long busySinceNanos;
    private boolean knownBusy;
    private boolean polling;
    private boolean contended;
    private long refusedAtNanos;
    private @Nullable SelfWait selfWait;

    /** A caller that waits for a lease that its own thread took, and when that is no longer likely to be meant. */
    private record SelfWait(Waiter caller, Grant owner, long dueNanos) {}

    WaitQueue(Engine engine, Resource id) {
        this.engine = engine;
        this.id = id;
    }

    boolean isEmpty() {
        return waiters.isEmpty();
    }

    @Nullable
    Waiter peek() {
        return waiters.peek();
    }

    private Waiter first() {
        return Objects.requireNonNull(waiters.peek());
    }

    /** For whom the store is asked now. */
    Waiter nextToAsk() {
        polling = false;
        return first();
    }

    void add(Waiter waiter) {
        waiters.add(waiter);
    }

    Acquire.Mode mode() {
        return waiters.hasPatient() ? Acquire.Mode.QUEUE : Acquire.Mode.TRY;
    }

    void grant(Waiter waiter, Grant grant, Outbox out) {
        late.clear();
        waiters.remove(waiter);
        settle(waiter, new Waiter.Got(grant), out);
        refuseTrying(out);
    }

    void settle(Waiter waiter, Waiter.Outcome outcome, Outbox out) {
        settle(waiter, outcome, BatonEvent.Reason.BUSY, out);
    }

    /** A caller that fails goes away for that, unless it was cancelled. */
    private void settle(Waiter waiter, Waiter.Outcome outcome, BatonEvent.Reason reason, Outbox out) {
        waiter.settle(outcome);
        out.wake(waiter);
        if (!(outcome instanceof Waiter.Got)) {
            boolean failed = outcome instanceof Waiter.Failed && reason != BatonEvent.Reason.CANCELLED;
            long waited = engine.clock().nanos() - waiter.startNanos;
            engine.reportGaveUp(id.name(), waited, failed ? BatonEvent.Reason.FAILED : reason, out);
        }
    }

    /** A caller goes away, for a reason of its own unless the store is to blame. */
    void giveUp(Waiter waiter, boolean heldByAnother, BatonEvent.Reason reason, Outbox out) {
        waiters.remove(waiter);
        boolean seen = heldByAnother || (knownBusy && busySinceNanos - waiter.startNanos >= 0);
        // A wait that was too short for an answer is no fault of the store: not yours within your time.
        boolean tooShort = !failures.wasAddedSince(waiter.startNanos) && engine.isStoreWellSince(waiter.startNanos);
        boolean busy = (seen || tooShort) && !isInTrouble();
        settle(waiter, busy ? new Waiter.Busy() : new Waiter.Failed(unanswered()), reason, out);
    }

    /** What a caller is told at once; null if it has to wait, or the store has to be asked. */
    Waiter.@Nullable Outcome knownOutcome(Waiter caller, boolean heldHere, @Nullable TicketBeat ticket) {
        if (engine.isClosed()) {
            // Looked at here, where close() comes by with the same lock: nothing can begin behind its back.
            return new Waiter.Failed(engine.closedException());
        }
        if (caller.tryOnly && heldHere) {
            return new Waiter.Busy();
        }
        if (caller.tryOnly && (ticket != null || polling)) {
            return besideOthers(ticket);
        }
        return waiters.size() >= engine.settings().maxLocalWaiters() ? new Waiter.Failed(tooMany()) : null;
    }

    /** What a caller that would not wait is told where others wait already: “held” only while the store answers. */
    private Waiter.Outcome besideOthers(@Nullable TicketBeat ticket) {
        if (ticket != null && ticket.recovering != null) {
            return new Waiter.Failed(recovering(ticket.recovering));
        }
        boolean silent = ticket != null && ticket.isSilent(engine.clock().nanos());
        return isInTrouble() || silent ? new Waiter.Failed(unanswered()) : new Waiter.Busy();
    }

    /** Whether the store does not answer, or not in time for any lease asked for here. */
    boolean isInTrouble() {
        return presentTrouble() != null;
    }

    /** A grant took longer to arrive than the lease lasts. */
    void overOnArrival(long sentNanos, Outbox out) {
        long now = engine.clock().nanos();
        String what = "the store granted the lock, but its answer took " + (now - sentNanos) / 1_000_000
                + " ms, and the lease was over when it came: use a longer lease or maxHold";
        late.add(new StoreFailure(StoreFailure.Effect.NONE, what, null), sentNanos, now);
        failOverdue(now, out);
    }

    /** How long to wait after a grant that came too late; 0 if the last one came in time. */
    long latePauseNanos() {
        return late.isOn() ? late.pauseNanos(engine.random()) : 0;
    }

    static BatonException impossibleToken(Resource id, long token) {
        return Exceptions.get()
                .other(
                        "the store granted \"" + id.name() + "\" with token " + token
                                + ", which no clock allows before the year"
                                + " 2094: something else has written to Baton's data; remove what is stored of this namespace"
                                + " while no client runs, or use another namespace",
                        null);
    }

    /**
     * The store gave neither a hold nor a ticket: whoever waits on asks again, and a stale number concerns nobody.
     *
     * @return after which time; 0 for at once
     */
    long refused(Acquire.Reply reply, Acquire.Mode mode, Outbox out) {
        if (reply instanceof Acquire.Held) {
            refuseTrying(out);
            refusedAtNanos = engine.clock().nanos();
            contended |= mode == Acquire.Mode.QUEUE;
            polling = contended && !waiters.isEmpty();
        } else if (reply instanceof Acquire.Recovering recovering) {
            failTrying(recovering(recovering.stamp()), out);
            return jittered(Math.min(
                    EngineSettings.RETRY_MAX_NANOS,
                    Math.max(EngineSettings.RETRY_MIN_NANOS, recovering.stamp().graceMicros() * 1_000)));
        } else if (reply instanceof Acquire.Mismatch mismatch) {
            fail(mismatch(mismatch), out);
        }
        return polling ? jittered(EngineSettings.pollNanos(engine.clock().nanos() - first().startNanos)) : 0;
    }

    /**
     * The turn of those who wait here is over: where others were seen to want the resource as well, and the store has no
     * queue in which they wait, they get time to ask: about as long as the turn was.
     *
     * @return how long; 0 for no time
     */
    long yieldNanos(long turnNanos) {
        contended &= engine.clock().nanos() - refusedAtNanos < EngineSettings.CONTENTION_NANOS;
        polling = contended && turnNanos > 0 && !waiters.isEmpty();
        long pause = Math.max(EngineSettings.POLL_MIN_NANOS, Math.min(EngineSettings.POLL_MAX_NANOS, turnNanos));
        return polling ? jittered(pause) : 0;
    }

    /** With jitter, so that clients do not march in step. */
    private long jittered(long nanos) {
        return (long) (nanos * (0.5 + engine.random().getAsDouble() / 2));
    }

    void fail(RuntimeException reason, Outbox out) {
        settleAll(new Waiter.Failed(reason), false, out);
    }

    void failTrying(RuntimeException reason, Outbox out) {
        settleAll(new Waiter.Failed(reason), true, out);
    }

    /** Somebody else has it: whoever would not wait goes. */
    void refuseTrying(Outbox out) {
        noteBusy();
        if (waiters.hasTrying()) {
            settleAll(new Waiter.Busy(), true, out);
        }
    }

    private void settleAll(Waiter.Outcome outcome, boolean onlyTrying, Outbox out) {
        Waiter each = waiters.peek();
        while (each != null) {
            Waiter following = each.next;
            if (each.tryOnly || !onlyTrying) {
                waiters.remove(each);
                settle(each, outcome, out);
            }
            each = following;
        }
    }

    /** Whether those who wait here wait for the time at which to ask again, because the store has no queue. */
    boolean arePolling() {
        return polling;
    }

    void noteBusy() {
        knownBusy = true;
        busySinceNanos = engine.clock().nanos();
    }

    // ---- a store that does not answer ----------------------------------------------------------------------------

    void answered() {
        failures.clear();
        polling = false;
    }

    void unanswered(StoreFailure failure, long sinceNanos, Outbox out) {
        polling = false;
        long now = engine.clock().nanos();
        failures.add(failure, sinceNanos, now);
        failOverdue(now, out);
    }

    /** Untimed callers do not wait for a broken store for ever. */
    void failOverdue(long now, Outbox out) {
        FailureStreak present = presentTrouble();
        Waiter each = present != null ? waiters.peek() : null;
        while (present != null && each != null) {
            Waiter following = each.next;
            if (!each.timed
                    && present.lastsSince(each.startNanos, now)
                            >= engine.settings().storeTimeoutNanos()) {
                waiters.remove(each);
                settle(each, new Waiter.Failed(unanswered()), out);
            }
            each = following;
        }
    }

    private @Nullable FailureStreak presentTrouble() {
        if (failures.isOn()) {
            return failures;
        }
        return late.isOn() ? late : null;
    }

    /** A lease is owned by whoever has it: another thread may be about to release it, so this is told after a while. */
    void waitsForItself(Waiter caller, Grant owner) {
        if (selfWait == null) {
            selfWait = new SelfWait(caller, owner, engine.clock().nanos() + EngineSettings.SELF_WAIT_NANOS);
            engine.wakeAt(selfWait.dueNanos());
        }
    }

    /** Does what is due. */
    void tick(long now, @Nullable Grant owner, Outbox out) {
        failOverdue(now, out);
        SelfWait seen = selfWait;
        if (seen != null && now - seen.dueNanos() >= 0) {
            selfWait = null;
            if (seen.owner() == owner && seen.caller().outcome() == null) {
                engine.reportSelfWait(seen.owner(), out);
            }
        }
    }

    /** When {@link #tick} has something to do. */
    long nextNanos(long now) {
        long overdue = overdueNanos(now);
        SelfWait seen = selfWait;
        return seen != null && seen.dueNanos() - overdue < 0 ? seen.dueNanos() : overdue;
    }

    /** When {@link #failOverdue} is next to be called; far away while the store answers. */
    private long overdueNanos(long now) {
        FailureStreak present = presentTrouble();
        Waiter each = present != null ? waiters.peek() : null;
        while (each != null && each.timed) {
            each = each.next;
        }
        return present == null || each == null
                ? now + Engine.FAR_NANOS
                : now + engine.settings().storeTimeoutNanos() - present.lastsSince(each.startNanos, now);
    }

    long pauseNanos() {
        return failures.pauseNanos(engine.random());
    }

    StoreException unanswered() {
        String unknown = "whether \"" + id.name() + "\" is free is unknown";
        return presentTrouble() == late
                ? late.toException(unknown)
                : failures.toException(unknown + ": the store did not answer in time");
    }

    StoreException recovering(Stamp stamp) {
        return Exceptions.get()
                .store("the store may have forgotten holds (restart or failover) and grants nothing for another "
                        + stamp.graceMicros() / 1_000 + " ms: whether \"" + id.name()
                        + "\" is free is unknown");
    }

    private BatonException mismatch(Acquire.Mismatch reply) {
        return Exceptions.get()
                .other(
                        "\"" + id.name() + "\" is in use as a " + reply.kind() + " of capacity " + reply.capacity()
                                + " and cannot be used as a " + id.kind() + " of capacity " + id.capacity()
                                + ": use another name",
                        null);
    }

    private TooManyWaitersException tooMany() {
        return Exceptions.get()
                .tooManyWaiters(waiters.size() + " callers of this client wait for \"" + id.name()
                        + "\" already: let fewer callers in, or raise maxLocalWaiters");
    }
}
