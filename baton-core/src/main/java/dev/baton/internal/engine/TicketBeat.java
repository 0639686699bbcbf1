package dev.baton.internal.engine;

import dev.baton.spi.Stamp;
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

    /** The last answer, if the store was in a grace period and the holder is therefore unknown. */
    @Nullable
    Stamp recovering;

    private long answeredNanos;

    TicketBeat(EngineSettings settings, long nowNanos) {
        this.settings = settings;
        this.sinceNanos = nowNanos;
        this.answeredNanos = nowNanos;
    }

    /**
     * Records the answer that the ticket waits. The head of the queue asks again as soon as the store can end the
     * present hold, because the store pushes nothing when a lease ends.
     */
    void answered(Belief.Sync sync, long now, int place, long remainingMicros) {
        position = place;
        recovering = sync.stamp().graceMicros() > 0 ? sync.stamp() : null;
        answeredNanos = now;
        later(now);
        long endNanos = remainingMicros * 1_000 + AFTER_END_NANOS;
        isAtEnd = position == 0 && remainingMicros > 0 && endNanos < intervalNanos(now);
        if (isAtEnd) {
            dueNanos = now + endNanos;
        }
    }

    void failed(long now) {
        later(now);
        dueNanos = now + Math.max(EngineSettings.RETRY_MIN_NANOS, intervalNanos(now));
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
        return onItsWay ? sinceNanos + EngineSettings.FAR_NANOS : dueNanos;
    }

    /** Whether the heartbeat is due, or nearly: heartbeats that are sent together cost one command. */
    boolean isDue(long now) {
        long slack = isAtEnd ? 0 : intervalNanos(now) / 4;
        return dueNanos() - now - slack <= 0;
    }
}
