package dev.baton.redis;

import dev.baton.spi.Deadline;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;

/**
 * The grace period of a server, as far as this client knows of it. While it is on, heartbeats carry everything that is
 * needed to restore a hold, and releases record their end, so that no later heartbeat restores what is over.
 *
 * <p>A command that is written after {@link #noted} sees the grace period. So if a heartbeat may restore a hold, every
 * release that is written after it records its end. Thread-safe.
 */
final class KnownGrace {
    /** Longer than the server counts, if its clock is slow; releases that record their end do no harm. */
    private static final long MARGIN_NANOS = TimeUnit.MILLISECONDS.toNanos(500);

    /** A grace period that lasts longer than expected by this much is another one. */
    private static final long ANOTHER_NANOS = TimeUnit.MILLISECONDS.toNanos(200);

    private final AtomicReference<@Nullable Deadline> known = new AtomicReference<>();

    /** Returns whether holds may have to be restored. */
    boolean isOn() {
        Deadline until = known.get();
        return until != null && until.leftNanos() > 0;
    }

    /** Takes the next answer as the first of a grace period. */
    void forget() {
        known.set(null);
    }

    /**
     * Takes the rest of a grace period from an answer.
     *
     * @return whether this client did not know of it
     */
    boolean noted(long restMicros) {
        if (restMicros <= 0) {
            return false;
        }
        long nanos = TimeUnit.MICROSECONDS.toNanos(restMicros);
        Deadline before = known.get();
        long left = before == null ? 0 : before.leftNanos();
        if (left > 0 && nanos + nanos / 50 + MARGIN_NANOS - left < ANOTHER_NANOS) {
            return false;
        }
        return known.compareAndSet(before, Deadline.in(nanos + nanos / 50 + MARGIN_NANOS));
    }
}
