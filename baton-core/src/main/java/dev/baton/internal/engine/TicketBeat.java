package dev.baton.internal.engine;

import dev.baton.spi.Stamp;
import org.jspecify.annotations.Nullable;

/** When a ticket is next asked about. Guarded by its resource's lock. */
final class TicketBeat {
    /** 2 ms after the end of a lease: for clocks that count in milliseconds. */
    private static final long AFTER_END_NANOS = 2_000_000;

    private final EngineSettings settings;
    private final long sinceNanos;
    private long dueNanos;
    private boolean onItsWay;

    /** How many tickets are ahead, at the last answer. */
    private int position;

    /** Whether it is due when a lease runs out, and not a moment earlier. */
    private boolean isAtEnd;

    /** The last answer, if the store was in a grace period: nobody knows then who holds. */
    @Nullable
    Stamp recovering;

    private long answeredNanos;

    TicketBeat(EngineSettings settings, long nowNanos) {
        this.settings = settings;
        this.sinceNanos = nowNanos;
        this.answeredNanos = nowNanos;
    }

    /**
     * The store answered that the ticket waits. The first in line asks again as soon as the store can end the present
     * hold: nobody pushes when a lease runs out.
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

    /** Deep in the queue a ticket only has to show presence. With few ahead it may be granted by an answer alone. */
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

    /** Whether so long without an answer that the last one says nothing of the present. */
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
        return onItsWay ? sinceNanos + Engine.FAR_NANOS : dueNanos;
    }

    /** Due, or nearly: tickets that are asked about together cost one command. */
    boolean isDue(long now) {
        long slack = isAtEnd ? 0 : intervalNanos(now) / 4;
        return dueNanos() - now - slack <= 0;
    }
}
