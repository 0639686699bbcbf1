package dev.baton.internal.ordered;

import dev.baton.spi.Acquire;
import dev.baton.spi.Resource;
import java.util.OptionalLong;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;

/** What a client knows of an attempt of its own. Thread-safe. */
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

    /** Completed when it has no entry any more: with true if one was removed. */
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
    private boolean delaySent;
    private boolean delayed;
    private int onTheWay;
    private boolean unanswered;
    private boolean isNext;
    private String watched = "";
    private @Nullable Entry before;
    private boolean isBlind;
    private long provedMicros = Long.MIN_VALUE;

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

    /** Whether several may hold, so that everybody has to write down that it does. */
    boolean isShared() {
        return resource.capacity() > 1;
    }

    /** It is in the line. False if nobody wants it any more. */
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

    /** The end of the hold, or of the ticket's presence. */
    synchronized long untilMicros() {
        return untilMicros;
    }

    synchronized int position() {
        return position;
    }

    /** Where it stands in the queue, and whether the one before it is all that it waits for. */
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

    /** How many entries of its line are its own. */
    synchronized int entries() {
        return delaySent ? 2 : 1;
    }

    /** Becomes a hold; false if it is one already, or nobody wants it any more. */
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
     * Works on a heartbeat: starts the lease of a hand-off, extends it, never shortens it. Empty if it is over: what is
     * once to be removed is never renewed.
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

    /** Nobody wants it any more; it has yet to be removed. */
    synchronized void end() {
        state = State.OVER;
    }

    /** Its removal is sent. Returns whether its delay record stays, or was never made: once it is to stay, it does. */
    synchronized boolean remover(boolean withoutDelay) {
        state = State.OVER;
        keepsDelay |= withoutDelay;
        onTheWay++;
        return keepsDelay || !delaySent;
    }

    /** Whether its delay record is to be made before it holds. */
    synchronized boolean needsDelay() {
        return label.lockDelayMicros() > 0 && !delayed;
    }

    /** Its delay record is sent. False if nobody wants it any more. */
    synchronized boolean sendsDelay() {
        delaySent |= state == State.WAITING;
        return state == State.WAITING;
    }

    /** Its delay record is there. */
    synchronized void delayed() {
        delayed = true;
    }

    /** A removal was answered, or nobody knows. */
    synchronized void left(boolean answered) {
        onTheWay--;
        unanswered |= !answered;
    }

    /** Ends it if it is overdue: no renewal comes in between. Returns whether it did. */
    synchronized boolean endIfOverdue(long now) {
        if ((state != State.WAITING && state != State.HELD) || untilMicros > now) {
            return false;
        }
        failed = state == State.HELD;
        state = State.OVER;
        return true;
    }

    /** Whether it was a hold that ended because it was overdue. */
    synchronized boolean hasFailed() {
        return failed;
    }

    /** Nobody knows whether it was removed. */
    synchronized boolean isUnanswered() {
        return unanswered;
    }

    /** Its removal is to be sent again. */
    synchronized boolean isStranded() {
        return state == State.OVER && unanswered && onTheWay == 0;
    }

    synchronized boolean isWaitingFor(String target) {
        return state == State.WAITING && watched.equals(target);
    }

    /** Whether a watch is to be set; one at a time for each target. */
    synchronized boolean watches(String target) {
        if (watched.equals(target)) {
            return false;
        }
        watched = target;
        before = null;
        return true;
    }

    /** Waits until another entry goes, and hears of it. */
    synchronized void waitsBehind(Entry entry) {
        before = watched.equals(entry.id()) ? entry : null;
    }

    /** The entry whose going it waits for; null if that is not all, or it may not hear of it. */
    synchronized @Nullable Entry before() {
        return state == State.WAITING && !isBlind ? before : null;
    }

    /** Nobody will tell it: it has to look. */
    synchronized void isBlindTo(String target) {
        isBlind |= watched.equals(target);
    }

    /** The server proved that it stands, to a command called then. */
    synchronized void proved(long calledMicros) {
        provedMicros = Math.max(provedMicros, calledMicros);
    }

    /** What happened may not have been heard of. */
    synchronized void doubt() {
        provedMicros = Long.MIN_VALUE;
    }

    /** Whether it waits, hears of changes, and was proved to stand no earlier. */
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
