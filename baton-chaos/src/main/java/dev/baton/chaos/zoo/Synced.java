package dev.baton.chaos.zoo;

import dev.baton.chaos.history.HostTime;
import dev.baton.spi.Stamp;

/**
 * An answer of a server, and when its request was sent. Immutable.
 *
 * @param sentNanos when
 * @param stamp of the answer
 */
record Synced(long sentNanos, Stamp stamp) {
    /** Returns the latest that the server's clock can show now. */
    long nowMicros() {
        return stamp.nowMicros() + (HostTime.nanos() - sentNanos) / 1_000;
    }

    String runId() {
        return stamp.runId();
    }
}
