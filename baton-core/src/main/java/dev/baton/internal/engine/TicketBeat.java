package dev.baton.internal.engine;

import org.jspecify.annotations.Nullable;

/** When the next heartbeat of a ticket is due. Guarded by its resource's lock. */
final class TicketBeat {
    /** 2 ms after the end of a lease: for clocks that count in milliseconds. */
    private static final long AFTER_END_NANOS = 2_000_000;

    private final EngineSettings settings;
    private final long sinceNanos;
    private long dueNanos;
    private boolean onItsWay;

    /** How many tickets are ahead, at the last answer. */
    private int position;

    /** Whether it is due when a lease ends, and no earlier. */
    private boolean isAtEnd;

    private long answeredNanos;

    /** The caller that waits with the ticket. */
    private Waiter waiter;

    /** Who waits, if the store has another description, and when it is told; null if the store's is right. */
    private @Nullable String untold;

    private long tellNanos;

    /** Creates the schedule of a ticket that was made for this caller. */
    TicketBeat(EngineSettings settings, Waiter madeFor, long nowNanos) {
        this.waiter = madeFor;
        this.settings = settings;
        this.sinceNanos = nowNanos;
        this.answeredNanos = nowNanos;
    }

    /**
     * Records the answer that the ticket waits. The head of the queue asks again as soon as the store can end the
     * present hold, because the store pushes nothing when a lease ends.
     */
    void answered(long now, int place, long remainingMicros) {
        position = place;
        answeredNanos = now;
        later(now);
        long endNanos = remainingMicros * 1_000 + AFTER_END_NANOS;
        isAtEnd = position == 0 && remainingMicros > 0 && endNanos < intervalNanos(now);
        if (isAtEnd) {
            dueNanos = now + endNanos;
        }
    }

    /** Records who waits with the ticket now. */
    void isFor(Waiter heir, long now) {
        if (heir != waiter) {
            waiter = heir;
            if (untold == null) {
                // Not later with each heir: the store would then show a caller who left long ago.
                tellNanos = now + EngineSettings.DESCRIBE_NANOS;
            }
            untold = heir.description();
        }
    }

    /** Returns what the store is to be told of who waits; empty if it knows. */
    String untold() {
        return untold == null ? "" : untold;
    }

    /** Records that the store has a description. */
    void told(String description) {
        if (description.equals(untold)) {
            untold = null;
        }
    }

    void failed(long now) {
        later(now);
        dueNanos = now + Math.max(EngineSettings.RETRY_MIN_NANOS, intervalNanos(now));
        tellNanos = dueNanos;
    }

    private void later(long now) {
        onItsWay = false;
        isAtEnd = false;
        dueNanos = now + intervalNanos(now);
    }

    /** Deep in the queue a heartbeat only shows presence. Near the head, a heartbeat's answer may bring the grant. */
    private long intervalNanos(long now) {
        long presence = settings.presenceNanos() / 3;
        if (settings.pushed()) {
            long first = Math.min(EngineSettings.TICKET_BEAT_NANOS, settings.claimNanos() / 3);
            long deep = first + first * position / EngineSettings.PLACES_PER_PERIOD;
            return Math.max(first, Math.min(presence, deep));
        }
        long deep = Math.min(EngineSettings.POLL_DEEP_NANOS, EngineSettings.POLL_PER_PLACE_NANOS * position);
        return Math.max(EngineSettings.pollNanos(now - sinceNanos), Math.min(presence, deep));
    }

    /** Whether the last answer is too old to describe the present. */
    boolean isSilent(long now) {
        return now - answeredNanos > intervalNanos(now) + settings.silenceNanos();
    }

    void beatNow() {
        onItsWay = false;
        isAtEnd = false;
        dueNanos = sinceNanos;
    }

    void sent() {
        onItsWay = true;
    }

    long dueNanos() {
        if (onItsWay) {
            return sinceNanos + EngineSettings.FAR_NANOS;
        }
        return untold != null && tellNanos - dueNanos < 0 ? tellNanos : dueNanos;
    }

    /** Whether the heartbeat is due, or nearly: heartbeats that are sent together cost one command. */
    boolean isDue(long now) {
        long slack = isAtEnd ? 0 : intervalNanos(now) / 4;
        return dueNanos() - now - slack <= 0;
    }
}
