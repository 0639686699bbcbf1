package dev.baton.internal.engine;

import dev.baton.spi.Acquire;
import dev.baton.spi.Heartbeat;
import dev.baton.spi.Protocol;
import dev.baton.spi.Resource;
import dev.baton.spi.Stamp;
import java.util.HashSet;
import java.util.Set;

/**
 * A client's knowledge of one of its holds, and the schedule of the hold's heartbeats. Guarded by its resource's lock,
 * except for the belief, which holders read at any time.
 */
final class Hold {
    /** A heartbeat that is due within this share of its period is sent together with one that is due now. */
    private static final long SLACK_SHARE = 4;

    private static final long BEAT_RETRY_MIN_NANOS = 20_000_000;

    /** 2^64 divided by the golden ratio: multiples of it are spread evenly (Knuth, The Art of Computer Programming, 6.4). */
    private static final long GOLDEN_RATIO = 0x9E3779B97F4A7C15L;

    /** Answers {@code AskAgain} in a row to which the next heartbeat follows without a pause. */
    private static final int PUT_OFF_WITHOUT_PAUSE = 3;

    final long attempt;
    final long storeToken;
    /** Holders read at any time whether it is shared. */
    volatile HoldRequest request;

    final long grantedNanos;
    volatile Belief belief;

    /** Who has it or had it last, as text for users; the same as the store has it; and since when. */
    private String description;

    private String toldDescription;
    private long describedNanos;

    /** Whether its caller can no longer reach it: it is not renewed any more. */
    private boolean abandoned;

    /** The numbers of the notes that are on their way, or whose fate is unknown. */
    private Set<Long> openWrites = Set.of();

    private int passes;

    /** Whether the store knows which clients wait. */
    private final boolean hasQueue;

    /** When the last request was sent whose answer said whether others wait, and that answer. */
    private long aloneAskedNanos;

    private boolean contended;

    /** Whether the next heartbeat only asks whether others wait, or tells who has it. */
    private boolean asksWhoWaits;

    /** Whether its release keeps it, and until when no caller is to get it then. */
    private boolean kept;

    private long keptUntilNanos;

    /** No renewal beyond this: the owner's {@code maxHold}. */
    private long lastNanos;

    /** The store's deadline on the clock of the server that gave it. */
    private long deadlineMicros;

    private String serverId = "";
    private boolean claimed;
    private boolean beatWanted;
    private boolean extendWanted;

    /**
     * Whether many clients may have begun this period at one moment: when a server came back, all were granted something, or
     * asked whether they still hold, or had an answer after failures. Their next heartbeats are spread then; otherwise they
     * would meet for ever.
     */
    private boolean spreads = true;

    /** Whether the last heartbeat was to extend it; and how many were put off by the store since the last renewal. */
    private boolean extendSent;

    private byte putOff;

    /** Whether it is a hand-off that the store may still forget: no caller gets it before a heartbeat has confirmed it. */
    private boolean unconfirmed;

    private long lastFailureNanos;
    private boolean failing;
    private boolean beating;
    private long beatSinceNanos;
    private int nextLocalToken;

    /**
     * Creates a hold.
     *
     * @param asked the attempt that was granted
     * @param request the terms of the caller for which it was made
     * @param claimed whether its lease has begun; a hand-off has only the claim window before its first heartbeat
     * @param hasQueue whether the store knows which clients wait
     */
    Hold(
            Acquire asked,
            HoldRequest request,
            long storeToken,
            Belief belief,
            boolean claimed,
            boolean hasQueue,
            long nowNanos) {
        this.attempt = asked.attempt().value();
        this.storeToken = storeToken;
        this.request = request;
        this.description = asked.description();
        this.toldDescription = description;
        this.belief = belief;
        this.claimed = claimed;
        this.grantedNanos = nowNanos;
        this.lastNanos = nowNanos + EngineSettings.FAR_NANOS;
        // A grant at once means that no other client waited. Behind a hand-off, others may wait.
        this.hasQueue = hasQueue;
        this.contended = !hasQueue || !claimed;
        this.aloneAskedNanos = belief.sentNanos();
    }

    /** Records the deadline on its server's clock. */
    void knownAt(Stamp stamp, long deadline) {
        serverId = stamp.runId();
        deadlineMicros = deadline;
    }

    /** Records that it counts only when a heartbeat that writes was answered. */
    void mustBeConfirmed() {
        unconfirmed = true;
    }

    /** Records that such a heartbeat was answered. */
    void confirmed() {
        unconfirmed = false;
    }

    boolean isUnconfirmed() {
        return unconfirmed;
    }

    /** Whether its deadline is still ahead on the clock of this same server. */
    boolean isAliveAt(Stamp stamp) {
        return stamp.runId().equals(serverId) && stamp.nowMicros() < deadlineMicros;
    }

    /** Whether no caller has had it yet. */
    boolean isFresh() {
        return passes == 0;
    }

    /** Records that a caller gets it: who, and the end of its {@code maxHold}. */
    void givenTo(String who, long endNanos, long now) {
        describe(who, now);
        passes++;
        lastNanos = endNanos;
    }

    /** Records who has it. If that does not change soon, the next heartbeat tells the store. */
    void describe(String who, long now) {
        description = who;
        describedNanos = now;
    }

    boolean isDescribedAs(String who) {
        return description.equals(who);
    }

    /** Records the description that the store has. */
    void told(String who) {
        toldDescription = who;
    }

    /** Records that another caller has it, too. */
    void sharedWith(long endNanos) {
        passes++;
        lastNanos = laterOf(lastNanos, endNanos);
    }

    /** Records for how long one of its callers keeps it from all clients, even after its release. */
    void keptFor(long nanos, long now) {
        if (nanos > 0) {
            keptUntilNanos = kept ? laterOf(keptUntilNanos, now + nanos) : now + nanos;
            kept = true;
        }
    }

    /** Records for how long its release keeps it. */
    void keptAfter(Releasing releasing, long now) {
        if (releasing.isOfUnused()) {
            keptForNobody();
        } else {
            keptFor(releasing.keepNanos(), now);
        }
    }

    /** Records that it is free after its end: it was lost, or no caller has used it. */
    void keptForNobody() {
        kept = false;
    }

    /** How long it is kept from all clients, if it is released now; 0 if it is not. */
    long keepNanos(long now) {
        return kept ? Math.max(0, keptUntilNanos - now) : 0;
    }

    /** Stops its renewal, because no caller that has it can reach it any more. */
    void abandon() {
        abandoned = true;
    }

    /** The public token of the next caller: the callers of a shared hold have the same, which no other caller gets. */
    long nextToken() {
        return request.shared() ? Protocol.sharedToken(storeToken) : Protocol.firstToken(storeToken) + nextLocalToken++;
    }

    /** Makes a reader's hold of a writer's, from now on; the next heartbeat tells the store. */
    void becomeReader() {
        request = request.asReader();
        keptForNobody();
        wantBeat(false);
    }

    /**
     * Whether a caller may have it after this one, as far as the terms go. Not while a note may still be on its way: the
     * store would take it from this hold, although the next caller has read the note.
     */
    boolean canStayFor(HoldRequest next) {
        boolean tokenLeft = request.shared() || nextLocalToken < Protocol.LOCAL_TOKENS - 1;
        return request.suits(next) && !abandoned && tokenLeft && openWrites.isEmpty();
    }

    /** A note with this number is on its way. */
    void writes(long number) {
        if (openWrites.isEmpty()) {
            openWrites = new HashSet<>();
        }
        openWrites.add(number);
    }

    /** The store has taken the note with this number. */
    void written(long number) {
        if (!openWrites.isEmpty()) {
            openWrites.remove(number);
        }
    }

    /** Whether this client's turn goes on, even if other clients wait. */
    boolean isTurn(long now) {
        return passes < EngineSettings.MAX_PASSES && now - grantedNanos < EngineSettings.SLICE_NANOS;
    }

    /** Whether the store's last answer said that other clients wait. */
    boolean isContended() {
        return contended;
    }

    /** Whether the store said within that time that no other client waits. */
    boolean isAlone(long now, long withinNanos) {
        return !contended && now - aloneAskedNanos < withinNanos;
    }

    /** Asks early whether others wait, so that no caller waits for the answer; returns whether it asks. */
    boolean askWhoWaits(long now) {
        boolean asks = !beating && !beatWanted && !contended && !isAlone(now, EngineSettings.SLICE_NANOS / 2);
        if (asks) {
            wantBeat(false);
            asksWhoWaits = true;
        }
        return asks;
    }

    /** Whether enough of the lease is left for a caller that has just got the lock. */
    boolean hasLifeFor(HoldRequest next, long now) {
        // A caller may need all of an explicit lease, except for the share that drift and margin take from any answer.
        long lease = next.firstLeaseNanos();
        long share = next.explicit() ? lease * 9 / 10 : lease / EngineSettings.RENEW_SHARE;
        return belief.storeEndNanos() - now >= share && !belief.isOver(now);
    }

    /** Asks for a heartbeat as soon as possible. */
    void wantBeat(boolean extend) {
        beatWanted = true;
        extendWanted |= extend;
    }

    /** Asks for a heartbeat because the store may have changed, which other clients may notice at the same moment. */
    void askAgain() {
        wantBeat(false);
        spreads = true;
    }

    /** When the next heartbeat is due; far away while one is in flight. */
    long beatDueNanos(EngineSettings settings) {
        if (beating) {
            return grantedNanos + EngineSettings.FAR_NANOS;
        }
        long due = beatWanted ? grantedNanos : regularBeatNanos(settings);
        if (!description.equals(toldDescription) && !abandoned) {
            due = earlierOf(due, describedNanos + EngineSettings.DESCRIBE_NANOS);
        }
        return failing ? laterOf(due, lastFailureNanos + retryNanos(settings)) : due;
    }

    private long regularBeatNanos(EngineSettings settings) {
        if (!claimed) {
            long soon = Math.min(EngineSettings.TICKET_BEAT_NANOS, settings.claimNanos() / 3);
            // If the store granted on nearly outdated knowledge, little of the belief is left.
            long believed = Math.max(0, belief.untilNanos() - grantedNanos);
            return grantedNanos + Math.min(soon, Math.min(request.leaseNanos(), believed) / EngineSettings.RENEW_SHARE);
        }
        if (abandoned) {
            return grantedNanos + EngineSettings.FAR_NANOS;
        }
        double part = (spreads ? spreadPart(settings) : 1) / EngineSettings.RENEW_SHARE;
        long confirm = belief.sentNanos() + (long) (settings.trustNanos() * part);
        if (request.explicit() || lastsToTheEnd()) {
            return confirm;
        }
        long renew = belief.storeEndNanos() - request.leaseNanos() + (long) (request.leaseNanos() * part);
        return earlierOf(renew, confirm);
    }

    /** Returns the part of its period after which a heartbeat comes that is to be spread: at least a half of it. */
    private static double spreadPart(EngineSettings settings) {
        // By client, so that its heartbeats still go together.
        long mixed = settings.clientId().hashCode() * GOLDEN_RATIO;
        return 1 - (mixed >>> 40) * 0x1p-25;
    }

    /**
     * Whether the heartbeat is due, or near enough to be sent with others. A failed heartbeat is not repeated early.
     */
    boolean isBeatDue(EngineSettings settings, long now) {
        long slack = failing ? 0 : lifeNanos(settings) / EngineSettings.RENEW_SHARE / SLACK_SHARE;
        return beatDueNanos(settings) - slack - now <= 0;
    }

    /** Whether the store's deadline reaches the owner's {@code maxHold}; no renewal is needed then. */
    private boolean lastsToTheEnd() {
        return belief.storeEndNanos() - lastNanos + request.leaseNanos() / 50 >= 0;
    }

    /** Timeout of one heartbeat: several must fit into a lease. */
    long beatTimeoutNanos(EngineSettings settings) {
        return Math.min(settings.silenceNanos(), Math.max(BEAT_RETRY_MIN_NANOS, lifeNanos(settings) / 3));
    }

    /** The longest time that an answer lasts. */
    private long lifeNanos(EngineSettings settings) {
        return Math.min(request.leaseNanos(), settings.trustNanos());
    }

    /** A tenth of the time at stake, so that the pause does not use up the rest that a short outage has left. */
    private long retryNanos(EngineSettings settings) {
        long life = claimed ? lifeNanos(settings) : Math.min(request.leaseNanos(), settings.claimNanos());
        return Math.max(BEAT_RETRY_MIN_NANOS, Math.min(life / 10, EngineSettings.RETRY_MAX_NANOS));
    }

    /**
     * Returns the entry of a heartbeat that is about to be sent.
     *
     * @param believed whether both clocks say that it is held. If the machine slept, the hold may have ended and
     *     another client may have got it. A store in a grace period may have forgotten that grant, so the heartbeat
     *     must not restore this hold. An entry without a lease time only asks
     * @param owned whether a caller has it; otherwise it is renewed for the next one
     */
    Heartbeat.Hold beat(Resource resource, boolean believed, boolean owned, long now) {
        beating = true;
        beatSinceNanos = now;
        boolean onlyTells = !beatWanted && !request.explicit() && !description.equals(toldDescription);
        spreads &= beatWanted || onlyTells || failing || !claimed;
        beatWanted = false;
        extendSent = false;
        if (!believed) {
            return entry(resource, 0, false);
        }
        boolean tooShort = belief.storeEndNanos() - now < request.leaseNanos() * 9 / 10;
        boolean renews = !request.explicit() && !abandoned && tooShort && !lastsToTheEnd();
        // A heartbeat that only asks writes nothing, so its answer does not prove that the replicas have the hold.
        boolean extend = extendWanted || renews || unconfirmed;
        extendWanted = false;
        asksWhoWaits |= onlyTells && !extend;
        extendSent = extend;
        long life = owned ? Math.max(1_000, lastNanos - now) : request.firstLeaseNanos();
        return entry(resource, Math.min(request.leaseNanos(), life), extend);
    }

    Heartbeat.Hold entry(Resource resource, long leaseNanos, boolean extend) {
        return new Heartbeat.Hold(
                resource,
                attempt,
                storeToken,
                request.weight(),
                leaseNanos / 1_000,
                request.lockDelayNanos() / 1_000,
                extend,
                description,
                !unconfirmed);
    }

    /** Records a renewal; returns whether the heartbeat did more than ask whether others wait, or tell who has it. */
    boolean renewed(Belief answer, Stamp stamp, long deadline, boolean othersWait) {
        boolean more = !asksWhoWaits || deadline != deadlineMicros;
        asksWhoWaits = false;
        contended = !hasQueue || othersWait;
        aloneAskedNanos = answer.sentNanos();
        knownAt(stamp, deadline);
        belief = belief.orNewer(answer);
        claimed = true;
        failing = false;
        putOff = 0;
        extendSent = false;
        beating = false;
        return more;
    }

    void beatEnded() {
        beating = false;
    }

    /**
     * The store has neither renewed it nor found it lost: the same is asked again at once. If it is put off again and
     * again, as while this client releases many locks of a bucket in a grace period, the usual pause follows.
     */
    void beatPutOff(long now) {
        wantBeat(extendSent);
        if (putOff < PUT_OFF_WITHOUT_PAUSE) {
            putOff++;
        } else {
            beatFailed(now);
        }
    }

    void beatFailed(long now) {
        beating = false;
        failing = true;
        spreads = true;
        lastFailureNanos = now;
    }

    /** Whether a recent heartbeat got no answer, or has none after 20 ms. */
    boolean isUnanswered(long now) {
        return failing || (beating && now - beatSinceNanos > BEAT_RETRY_MIN_NANOS);
    }

    private static long earlierOf(long a, long b) {
        return a - b < 0 ? a : b;
    }

    private static long laterOf(long a, long b) {
        return a - b > 0 ? a : b;
    }
}
