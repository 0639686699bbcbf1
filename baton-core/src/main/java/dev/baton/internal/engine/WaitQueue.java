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
import java.util.function.Function;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * The callers of this client that wait for one resource, and their answers. There are three answers, never two: a
 * caller gets “held by another” only if another holder was seen while that caller waited, and the store answers now.
 * Guarded by the resource's lock.
 */
final class WaitQueue {
    private final Surroundings around;
    private final Resource id;
    private final WaiterQueue waiters = new WaiterQueue();
    private final FailureStreak failures = new FailureStreak();

    /** Grants that were over on arrival, since the last one that was not; null before the first, which is rare. */
    private @Nullable FailureStreak late;

    private long busySinceNanos;
    private boolean knownBusy;
    private boolean polling;
    private boolean contended;
    private long refusedAtNanos;
    private @Nullable SelfWait selfWait;
    private @Nullable Recovery recovery;

    /** A caller that waits for a lease that its own thread took, and the time after which this is likely a mistake. */
    private record SelfWait(Waiter caller, Grant owner, long dueNanos) {}

    /**
     * The last answer, if the store was in a grace period.
     *
     * @param occupied whether the store knows of a holder
     */
    private record Recovery(Stamp stamp, boolean occupied, long heardNanos) {}

    WaitQueue(Surroundings around, Resource id) {
        this.around = around;
        this.id = id;
    }

    int size() {
        return waiters.size();
    }

    boolean isEmpty() {
        return waiters.isEmpty();
    }

    @Nullable
    Waiter peek() {
        return waiters.peek();
    }

    Waiter first() {
        return Objects.requireNonNull(waiters.peek());
    }

    /** Returns the caller for which the store is asked now. */
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

    void grant(Waiter waiter, Grant grant, long now, Outbox out) {
        if (late != null) {
            late.clear();
        }
        waiters.remove(waiter);
        settle(waiter, new Waiter.Got(grant), now, out);
        if (id.capacity() == 1) {
            refuseTrying(now, out);
        }
    }

    void settle(Waiter waiter, Waiter.Outcome outcome, long now, Outbox out) {
        settle(waiter, outcome, BatonEvent.Reason.BUSY, now, out);
    }

    /** If the caller fails, the failure becomes the reported reason, unless the caller was cancelled. */
    private void settle(Waiter waiter, Waiter.Outcome outcome, BatonEvent.Reason reason, long now, Outbox out) {
        waiter.settle(outcome);
        out.wake(waiter);
        if (!(outcome instanceof Waiter.Got)) {
            boolean failed = outcome instanceof Waiter.Failed && reason != BatonEvent.Reason.CANCELLED;
            around.reports().gaveUp(id.name(), waiter, failed ? BatonEvent.Reason.FAILED : reason, now, out);
        }
    }

    /**
     * Removes a caller that gives up. It fails only if the store is at fault, or may have forgotten who holds the lock;
     * otherwise it hears that the lock is busy.
     */
    void giveUp(
            Waiter waiter, boolean heldByAnother, boolean hasTicket, BatonEvent.Reason reason, long now, Outbox out) {
        waiters.remove(waiter);
        if (!heldByAnother && recovery != null && isUnknown(recovery, waiter, hasTicket)) {
            settle(waiter, new Waiter.Failed(recovering(recovery.stamp)), reason, now, out);
            return;
        }
        boolean seen = heldByAnother || (knownBusy && busySinceNanos - waiter.startNanos >= 0);
        // If the wait was too short for an answer, the store is not at fault: the caller just did not get the lock in
        // time.
        boolean tooShort = !failures.wasAddedSince(waiter.startNanos) && around.isStoreWellFor(waiter, now);
        boolean busy = (seen || tooShort) && !isInTrouble();
        settle(waiter, busy ? new Waiter.Busy() : new Waiter.Failed(unanswered()), reason, now, out);
    }

    /** A known holder is in the way of a caller that wants all, but may leave room for one that wants a part. */
    private boolean isUnknown(Recovery last, Waiter waiter, boolean hasTicket) {
        boolean present = hasTicket || last.heardNanos - waiter.startNanos >= 0;
        return present && !(last.occupied && waiter.request.weight() == id.capacity());
    }

    /** A caller's outcome if it is known at once; null if the caller has to wait, or the store has to be asked. */
    Waiter.@Nullable Outcome knownOutcome(Waiter caller, boolean heldHere, @Nullable TicketBeat ticket, long now) {
        if (around.isClosed()) {
            // Checked here under the lock that close() takes as well, so that no request begins after close().
            return new Waiter.Failed(around.closedException());
        }
        if (caller.tryOnly && heldHere) {
            return new Waiter.Busy();
        }
        if (caller.tryOnly && (ticket != null || polling)) {
            return besideOthers(ticket, now);
        }
        return waiters.size() >= around.settings().maxLocalWaiters() ? new Waiter.Failed(tooMany()) : null;
    }

    /** The outcome of a caller that does not wait, if others wait already: “held” only while the store answers. */
    private Waiter.Outcome besideOthers(@Nullable TicketBeat ticket, long now) {
        if (ticket != null && recovery != null) {
            return new Waiter.Failed(recovering(recovery.stamp));
        }
        boolean silent = ticket != null && ticket.isSilent(now);
        return isInTrouble() || silent ? new Waiter.Failed(unanswered()) : new Waiter.Busy();
    }

    /** Whether the store does not answer, or too late for the leases that are asked for here. */
    boolean isInTrouble() {
        return presentTrouble() != null;
    }

    /** Records a grant that took longer to arrive than its lease lasts. */
    void overOnArrival(long sentNanos, long now, Outbox out) {
        String what = "the store granted the lock, but its answer took " + (now - sentNanos) / 1_000_000
                + " ms, and the lease was over when it came: use a longer lease or maxHold";
        if (late == null) {
            late = new FailureStreak();
        }
        late.add(new StoreFailure(StoreFailure.Effect.NONE, what, null), sentNanos, now);
        failOverdue(now, out);
    }

    /** How long to pause after a grant that arrived too late; 0 if the last one arrived in time. */
    long latePauseNanos() {
        return late != null && late.isOn() ? late.pauseNanos(around.random()) : 0;
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
     * Handles an answer that gave neither a hold nor a ticket: the callers that still wait ask again. A stale number
     * has no effect on them.
     *
     * @return the pause before the next request; 0 for none
     */
    long refused(Acquire.Reply reply, Acquire.Mode mode, long now, Outbox out) {
        if (reply instanceof Acquire.Held) {
            refuseTrying(now, out);
            refusedAtNanos = now;
            contended |= mode == Acquire.Mode.QUEUE;
            polling = contended && !waiters.isEmpty();
        } else if (reply instanceof Acquire.Recovering recovering) {
            failTrying(recovering(recovering.stamp()), now, out);
            return jittered(Math.min(
                    EngineSettings.RETRY_MAX_NANOS,
                    Math.max(EngineSettings.RETRY_MIN_NANOS, recovering.stamp().graceMicros() * 1_000)));
        } else if (reply instanceof Acquire.Mismatch mismatch) {
            fail(InUse.as(new Resource(id.name(), mismatch.kind(), mismatch.capacity()), id), now, out);
        } else if (reply instanceof Acquire.Unfit unfit) {
            settleAll(
                    each -> each.request.weight() > unfit.permits(),
                    each -> new Waiter.Failed(InUse.resized(id, each.request.weight(), unfit.permits())),
                    now,
                    out);
        }
        return polling ? jittered(EngineSettings.tryNanos(now - first().startNanos)) : 0;
    }

    /**
     * Ends the turn of this client's callers. If other clients were seen to want the resource, and the store has no
     * queue for them, this client pauses about as long as its turn was, so that they can ask.
     *
     * @return the pause; 0 for none
     */
    long yieldNanos(long turnNanos, long now) {
        contended &= now - refusedAtNanos < EngineSettings.CONTENTION_NANOS;
        polling = contended && turnNanos > 0 && !waiters.isEmpty();
        long pause = Math.max(EngineSettings.POLL_MIN_NANOS, Math.min(EngineSettings.POLL_MAX_NANOS, turnNanos));
        return polling ? jittered(pause) : 0;
    }

    /** With jitter, so that clients do not retry at the same times. */
    private long jittered(long nanos) {
        return (long) (nanos * (0.5 + around.random().getAsDouble() / 2));
    }

    void fail(RuntimeException reason, long now, Outbox out) {
        settleAll(each -> true, each -> new Waiter.Failed(reason), now, out);
    }

    void failTrying(RuntimeException reason, long now, Outbox out) {
        settleAll(each -> each.tryOnly, each -> new Waiter.Failed(reason), now, out);
    }

    /** Notes that another holder has the resource, and refuses the callers that do not wait. */
    void refuseTrying(long now, Outbox out) {
        noteBusy(now);
        if (waiters.hasTrying()) {
            settleAll(each -> each.tryOnly, each -> new Waiter.Busy(), now, out);
        }
    }

    private void settleAll(Predicate<Waiter> which, Function<Waiter, Waiter.Outcome> outcome, long now, Outbox out) {
        Waiter each = waiters.peek();
        while (each != null) {
            Waiter following = each.next;
            if (which.test(each)) {
                waiters.remove(each);
                settle(each, outcome.apply(each), now, out);
            }
            each = following;
        }
    }

    /** Whether the callers here wait for the next poll, because the store has no queue. */
    boolean arePolling() {
        return polling;
    }

    void noteBusy(long now) {
        knownBusy = true;
        busySinceNanos = now;
    }

    // ---- a store that does not answer ----------------------------------------------------------------------------

    void answered() {
        failures.clear();
        polling = false;
    }

    /** The same for an answer to a caller who waits; 0 if it does not say how long the present holders may stay. */
    void answered(Stamp stamp, long remainingMicros, long now) {
        answered();
        recovery = stamp.graceMicros() > 0 ? new Recovery(stamp, remainingMicros > 0, now) : null;
    }

    /** The store has queued the callers that wait: those that do not wait have their answer. */
    void queued(long now, Outbox out) {
        if (recovery == null) {
            refuseTrying(now, out);
        } else {
            failTrying(recovering(recovery.stamp), now, out);
        }
    }

    /** Whether the last answer came from a store in a grace period. */
    boolean isRecovering() {
        return recovery != null;
    }

    void unanswered(StoreFailure failure, long sinceNanos, long now, Outbox out) {
        polling = false;
        failures.add(failure, sinceNanos, now);
        failOverdue(now, out);
    }

    /** Fails untimed callers that have waited for a broken store for the store timeout. */
    void failOverdue(long now, Outbox out) {
        FailureStreak present = presentTrouble();
        Waiter each = present != null ? waiters.peek() : null;
        while (present != null && each != null) {
            Waiter following = each.next;
            if (!each.timed
                    && present.lastsSince(each.startNanos, now)
                            >= around.settings().storeTimeoutNanos()) {
                waiters.remove(each);
                settle(each, new Waiter.Failed(unanswered()), now, out);
            }
            each = following;
        }
    }

    private @Nullable FailureStreak presentTrouble() {
        if (failures.isOn()) {
            return failures;
        }
        return late != null && late.isOn() ? late : null;
    }

    /**
     * Notes a thread that waits for its own lease. Another thread may release that lease, so the report comes only
     * later.
     */
    void waitsForItself(Waiter caller, Grant owner, long now) {
        if (selfWait == null) {
            selfWait = new SelfWait(caller, owner, now + EngineSettings.SELF_WAIT_NANOS);
        }
    }

    /** Does the work that is due. */
    void tick(long now, Outbox out) {
        failOverdue(now, out);
        SelfWait seen = selfWait;
        if (seen != null && now - seen.dueNanos() >= 0) {
            selfWait = null;
            if (seen.owner().isOpen() && seen.caller().outcome() == null) {
                around.reports().selfWait(seen.owner(), now, out);
            }
        }
    }

    /** When {@link #tick} has something to do. */
    long nextNanos(long now) {
        long overdue = overdueNanos(now);
        SelfWait seen = selfWait;
        return seen != null && seen.dueNanos() - overdue < 0 ? seen.dueNanos() : overdue;
    }

    /** When {@link #failOverdue} must be called next; far away while the store answers. */
    private long overdueNanos(long now) {
        FailureStreak present = presentTrouble();
        Waiter each = present != null ? waiters.peek() : null;
        while (each != null && each.timed) {
            each = each.next;
        }
        return present == null || each == null
                ? now + EngineSettings.FAR_NANOS
                : now + around.settings().storeTimeoutNanos() - present.lastsSince(each.startNanos, now);
    }

    long pauseNanos() {
        return failures.pauseNanos(around.random());
    }

    StoreException unanswered() {
        String unknown = "whether \"" + id.name() + "\" is free is unknown";
        FailureStreak trouble = presentTrouble();
        return trouble != null && trouble == late
                ? trouble.toException(unknown)
                : failures.toException(unknown + ": the store did not answer in time");
    }

    private StoreException recovering(Stamp stamp) {
        return Exceptions.get()
                .store("the store may have forgotten holds (restart or failover) and grants nothing for another "
                        + stamp.graceMicros() / 1_000 + " ms: whether \"" + id.name()
                        + "\" is free is unknown");
    }

    /** The failure of a thread that holds one side of a read-write lock and asks for the other. */
    static BatonException waitsForItself(Resource id, boolean reads) {
        String what = reads ? "read" : "write";
        String has = reads ? "writer" : "reader";
        return Exceptions.get()
                .other(
                        "this thread holds \"" + id.name() + "\" as a " + has + " and asks to " + what
                                + " it: it would wait for itself; release the " + has + "'s lease first",
                        null);
    }

    private TooManyWaitersException tooMany() {
        return Exceptions.get()
                .tooManyWaiters(waiters.size() + " callers of this client wait for \"" + id.name()
                        + "\" already: let fewer callers in, or raise maxLocalWaiters");
    }
}
