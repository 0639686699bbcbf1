package dev.baton.internal.engine;

import dev.baton.spi.Stamp;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;

/**
 * What the answers of one shard tell of its server: which one it is, its clock, and when it gave an answer, which may
 * have come here much later.
 *
 * <p>The fastest answer so far tells how the server's clock and ours compare: it was given when it came, but for the
 * way back. (The clock filter of NTP, RFC 5905 section 10, reduced to one direction.) A slow answer must not be the
 * measure: while the client has a backlog, each answer would seem to be as old as the backlog is long.
 *
 * <p>Thread-safe. If two threads record answers at the same time, the older or the slower of the two may stay until the
 * next one.
 */
final class ShardAnswers {
    /** Our clock less the server's, when the fastest answer of this run of the server came. */
    private record Fastest(String runId, long offsetNanos) {}

    private final AtomicReference<Belief.@Nullable Sync> last = new AtomicReference<>();
    private final AtomicReference<@Nullable Fastest> fastest = new AtomicReference<>();

    /** Returns the answer to the request that was sent last. */
    Belief.@Nullable Sync last() {
        return last.get();
    }

    /** Records an answer; returns whether it came from another server than the answer before. */
    boolean record(Belief.Sync sync) {
        Belief.Sync before = last.get();
        boolean other =
                before != null && !before.stamp().runId().equals(sync.stamp().runId());
        if (before == null || other || sync.sentNanos() - before.sentNanos() > 0) {
            last.set(sync);
        }
        return other;
    }

    /** Returns when an answer was given, by our clock; not before its request was sent, and not after now. */
    long givenNanos(Belief.Sync sync, long now) {
        Stamp stamp = sync.stamp();
        String runId = stamp.runId();
        long serverNanos = stamp.nowMicros() * 1_000;
        long offset = now - serverNanos;
        Fastest known = fastest.get();
        if (known == null || !known.runId.equals(runId) || offset - known.offsetNanos <= 0) {
            fastest.set(new Fastest(runId, offset));
            return now;
        }
        long sent = sync.sentNanos();
        long given = serverNanos + known.offsetNanos;
        if (given - sent < 0) {
            // That cannot be: the server's clock was set back or runs slower than ours. Begin anew.
            fastest.set(new Fastest(runId, offset));
            return sent;
        }
        return given;
    }
}
