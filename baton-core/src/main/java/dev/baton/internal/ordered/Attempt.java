package dev.baton.internal.ordered;

import dev.baton.spi.Acquire;
import dev.baton.spi.Resource;
import java.util.OptionalLong;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;

/** A client's knowledge of one of its attempts. Thread-safe. */
final class Attempt {
    private enum State {
        JOINING,
        WAITING,
        HELD,
        OVER
    }

    final Resource resource;
    final EntryLabel label;
    final EntryNotes notes;
    final boolean queues;

    /** Completed when the attempt has no entry any more: with true if an entry was removed. */
    final CompletableFuture<Boolean> gone = new CompletableFuture<>();

    final long secret;
    private final long leaseMicros;

    private State state = State.JOINING;
    private OrderedServer.@Nullable Noted noted;
    private String session = "";
    private long untilMicros;
    private long token;
    private boolean claimed;
    private boolean revoked;
    private int position;
    private boolean failed;
    private boolean keepsDelay;
    private @Nullable EntryLabel keeper;
    private @Nullable EntryLabel sign;
    private boolean hasSign;
    private boolean delaySent;
    private boolean delayed;
    private int onTheWay;
    private boolean unanswered;
    private boolean isNext;
    private String watched = "";
    private @Nullable Entry before;
    private boolean isBlind;
    private long provedMicros = Long.MIN_VALUE;
    private long lookMicros = Long.MAX_VALUE;

    Attempt(String client, Acquire command) {
        resource = command.resource();
        label = new EntryLabel(
                EntryLabel.Sort.TICKET,
                client,
                command.attempt().value(),
                resource.kind(),
                resource.capacity(),
                command.weight(),
                command.lockDelayMicros());
        notes = new EntryNotes(command.leaseMicros(), 0, false, command.description());
        leaseMicros = command.leaseMicros();
        queues = command.mode() == Acquire.Mode.QUEUE;
        secret = command.secret();
    }

    String name() {
        return resource.name();
    }

    /** Whether several clients may hold, so that each holder has to write its token into its entry. */
    boolean isShared() {
        return resource.capacity() > 1;
    }

    /** Records that it has joined the queue; false if it is not wanted any more. */
    synchronized boolean joined(OrderedServer.Joined joined, long presentUntil) {
        noted = joined.own();
        session = joined.session();
        if (state != State.JOINING) {
            return false;
        }
        state = State.WAITING;
        untilMicros = presentUntil;
        return true;
    }

    synchronized OrderedServer.@Nullable Noted noted() {
        return noted;
    }

    synchronized void noted(OrderedServer.Noted newer) {
        noted = newer;
    }

    synchronized boolean isOfSession(String other) {
        return session.equals(other);
    }

    synchronized boolean isJoining() {
        return state == State.JOINING;
    }

    synchronized boolean isWaiting() {
        return state == State.WAITING;
    }

    synchronized boolean isHeld() {
        return state == State.HELD;
    }

    synchronized boolean isHeld(long byToken) {
        return state == State.HELD && token == byToken;
    }

    /** Whether it holds by a token, alone: it is in time, and neither is shared nor was sent a sign of a lower weight. */
    synchronized boolean excludesOthers(long byToken, long now) {
        return isHeld(byToken) && untilMicros > now && sign == null && !resource.isSharedAt(label.weight());
    }

    synchronized boolean isClaimed() {
        return claimed;
    }

    synchronized boolean isRevoked() {
        return revoked;
    }

    synchronized void revoke() {
        revoked = true;
    }

    synchronized long token() {
        return token;
    }

    synchronized long leaseMicros() {
        return leaseMicros;
    }

    /** Returns the end of the hold, or of the ticket's presence. */
    synchronized long untilMicros() {
        return untilMicros;
    }

    synchronized int position() {
        return position;
    }

    /** Records its queue position, and whether it waits only for the entry before it. */
    synchronized void waitsAt(int newPosition, boolean next) {
        position = newPosition;
        isNext = next;
    }

    synchronized boolean isNext() {
        return isNext;
    }

    synchronized void present(long until) {
        if (state == State.WAITING) {
            untilMicros = until;
        }
    }

    /** Returns how many entries in its queue are its own. */
    synchronized int entries() {
        return 1 + (delaySent ? 1 : 0) + (sign == null ? 0 : 1);
    }

    /** Becomes a hold; false if it is one already, or is not wanted any more. */
    synchronized boolean hold(long newToken, long until, boolean isClaimed, long now) {
        if (state != State.WAITING || untilMicros <= now) {
            return false;
        }
        state = State.HELD;
        token = newToken;
        untilMicros = until;
        claimed = isClaimed;
        return true;
    }

    /**
     * Performs a heartbeat: starts the lease of a hand-off or extends it, but never shortens it. Empty if the hold is
     * over: once its removal is decided, it is never renewed.
     */
    synchronized OptionalLong renew(long now, long lease, boolean extend) {
        if (state != State.HELD || untilMicros <= now) {
            return OptionalLong.empty();
        }
        if (extend || !claimed) {
            untilMicros = Math.max(untilMicros, now + lease);
        }
        claimed = true;
        return OptionalLong.of(untilMicros);
    }

    /** Marks it as not wanted any more; its entry has yet to be removed. */
    synchronized void end() {
        state = State.OVER;
    }

    /**
     * Records that its removal is sent; returns whether its delay record stays, or was never made. Once it stays, it
     * always stays.
     */
    synchronized boolean remover(boolean withoutDelay) {
        state = State.OVER;
        keepsDelay |= withoutDelay;
        onTheWay++;
        return keepsDelay || !delaySent;
    }

    /** Whether a heartbeat lowers its weight for the first time. */
    synchronized boolean isLoweredBy(int weight) {
        return label.isWriter() && weight < label.weight() && !hasSign;
    }

    /** Records that the sign of its lower weight is sent: from now on the server may have it. */
    synchronized void lowers(EntryLabel newSign) {
        sign = newSign;
    }

    /** Records that the server has the sign of its lower weight. */
    synchronized void lowered() {
        hasSign = true;
    }

    /** The sign of its lower weight; null if it has none. */
    synchronized @Nullable EntryLabel sign() {
        return sign;
    }

    /** Records the keeper that it leaves behind; returns the one that was recorded first. */
    synchronized EntryLabel leaves(EntryLabel label) {
        EntryLabel first = keeper == null ? label : keeper;
        keeper = first;
        return first;
    }

    /** The keeper that it leaves behind; null if it leaves none. */
    synchronized @Nullable EntryLabel keeper() {
        return keeper;
    }

    /** Whether its delay record must be made before it holds. */
    synchronized boolean needsDelay() {
        return label.lockDelayMicros() > 0 && !delayed;
    }

    /** Records that its delay record is sent; false if it is not wanted any more. */
    synchronized boolean sendsDelay() {
        delaySent |= state == State.WAITING;
        return state == State.WAITING;
    }

    /** Records that its delay record exists. */
    synchronized void delayed() {
        delayed = true;
    }

    /** Records whether a removal was acknowledged. */
    synchronized void left(boolean answered) {
        onTheWay--;
        unanswered |= !answered;
    }

    /** Returns when its deadline is next looked at. */
    synchronized long lookMicros() {
        return lookMicros;
    }

    synchronized void lookAt(long micros) {
        lookMicros = micros;
    }

    synchronized boolean isOver() {
        return state == State.OVER;
    }

    /** Ends it if it is overdue, atomically with renewals; returns whether it did. */
    synchronized boolean endIfOverdue(long now) {
        if ((state != State.WAITING && state != State.HELD) || untilMicros > now) {
            return false;
        }
        failed = state == State.HELD;
        state = State.OVER;
        return true;
    }

    /** Whether it was a hold that became overdue. */
    synchronized boolean hasFailed() {
        return failed;
    }

    /** Whether a removal was sent but not acknowledged. */
    synchronized boolean isUnanswered() {
        return unanswered;
    }

    /** Whether its removal must be sent again. */
    synchronized boolean isStranded() {
        return state == State.OVER && unanswered && onTheWay == 0;
    }

    synchronized boolean isWaitingFor(String target) {
        return state == State.WAITING && watched.equals(target);
    }

    /** Whether a watch must be set; at most one at a time for each target. */
    synchronized boolean watches(String target) {
        if (watched.equals(target)) {
            return false;
        }
        watched = target;
        before = null;
        return true;
    }

    /** Records that it waits for another entry to go, and that a watch will report it. */
    synchronized void waitsBehind(Entry entry) {
        before = watched.equals(entry.id()) ? entry : null;
    }

    /** The entry that it waits for; null if it waits for more, or a watch may not report it. */
    synchronized @Nullable Entry before() {
        return state == State.WAITING && !isBlind ? before : null;
    }

    /** Records that no watch will report a target: heartbeats have to read the queue. */
    synchronized void isBlindTo(String target) {
        isBlind |= watched.equals(target);
    }

    /** Records that the server proved its entry, by a command that was called at this time. */
    synchronized void proved(long calledMicros) {
        provedMicros = Math.max(provedMicros, calledMicros);
    }

    /** Forgets the proof, because changes may have been missed. */
    synchronized void doubt() {
        provedMicros = Long.MIN_VALUE;
    }

    /** Whether it waits, hears of changes, and was proved after this time. */
    synchronized boolean isWaitingSince(long micros) {
        return state == State.WAITING && !watched.isEmpty() && !isBlind && provedMicros > micros;
    }

    synchronized boolean unwatch(String target) {
        if (!watched.equals(target)) {
            return false;
        }
        watched = "";
        before = null;
        return true;
    }
}
