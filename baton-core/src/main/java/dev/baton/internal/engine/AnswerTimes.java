package dev.baton.internal.engine;

import dev.baton.spi.Stamp;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;

/**
 * Tells when one shard's server gave an answer, which may have come here much later.
 *
 * <p>The fastest answer so far tells how the server's clock and ours compare: it was given when it came, but for the
 * way back. (The clock filter of NTP, RFC 5905 section 10, reduced to one direction.) A slow answer must not be the
 * measure: while the client has a backlog, each answer would seem to be as old as the backlog is long.
 *
 * <p>Thread-safe. If two threads record an answer at the same time, the slower of the two may stay as the measure until
 * the next one.
 */
final class AnswerTimes {
    /** Our clock less the server's, when the fastest answer of this run of the server came. */
    private record Fastest(String runId, long offsetNanos) {}

    private final AtomicReference<@Nullable Fastest> fastest = new AtomicReference<>();

    /** Returns when an answer was given, by our clock; not before its request was sent, and not after now. */
    long givenNanos(Stamp stamp, long sentNanos, long now) {
        long serverNanos = stamp.nowMicros() * 1_000;
        long offset = now - serverNanos;
        Fastest known = fastest.get();
        if (known == null || !known.runId.equals(stamp.runId()) || offset - known.offsetNanos <= 0) {
            fastest.set(new Fastest(stamp.runId(), offset));
            return now;
        }
        long given = serverNanos + known.offsetNanos;
        if (given - sentNanos < 0) {
            // That cannot be: the server's clock was set back or runs slower than ours. Begin anew.
            fastest.set(new Fastest(stamp.runId(), offset));
            return sentNanos;
        }
        return given;
    }
}
