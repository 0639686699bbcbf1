package dev.baton.internal.engine;

/** When a ticket is next asked about. Guarded by its resource's lock. */
final class TicketBeat {
    private final EngineSettings settings;
    private final long sinceNanos;
    private long dueNanos;
    private boolean onItsWay;

    /** Whether the store was in a grace period when it last answered: nobody knows then who holds. */
    boolean recovering;

    TicketBeat(EngineSettings settings, long nowNanos) {
        this.settings = settings;
        this.sinceNanos = nowNanos;
    }

    void answered(Belief.Sync sync, long now) {
        recovering = sync.stamp().graceMicros() > 0;
        later(now);
    }

    void failed(long now) {
        later(now);
        dueNanos = now + Math.max(EngineSettings.RETRY_MIN_NANOS, intervalNanos(now));
    }

    private void later(long now) {
        onItsWay = false;
        dueNanos = now + intervalNanos(now);
    }

    private long intervalNanos(long now) {
        if (settings.pushed()) {
            return Math.min(EngineSettings.TICKET_BEAT_NANOS, settings.claimNanos() / 3);
        }
        return EngineSettings.pollNanos(now - sinceNanos);
    }

    void beatNow() {
        onItsWay = false;
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
        return dueNanos() - now - intervalNanos(now) / 4 <= 0;
    }
}
