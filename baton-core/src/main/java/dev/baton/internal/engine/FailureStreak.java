package dev.baton.internal.engine;

import dev.baton.StoreException;
import dev.baton.internal.Exceptions;
import dev.baton.spi.StoreFailure;
import java.util.function.DoubleSupplier;
import org.jspecify.annotations.Nullable;

/** Consecutive commands without an answer. Guarded by its resource's lock. */
final class FailureStreak {
    private @Nullable StoreFailure last;
    private long sinceNanos;
    private int count;

    /** When the last failure was added, if ever; kept when an answer clears the streak. */
    private long addedNanos;

    private boolean wasAdded;

    /** Adds a failure; the streak begins when its first command was sent. */
    void add(StoreFailure failure, long sentNanos, long now) {
        if (last == null) {
            sinceNanos = sentNanos;
        }
        last = failure;
        count++;
        addedNanos = now;
        wasAdded = true;
    }

    /** Whether a failure was added at or after a time, even if an answer has come since. */
    boolean wasAddedSince(long nanos) {
        return wasAdded && addedNanos - nanos >= 0;
    }

    void clear() {
        last = null;
        count = 0;
    }

    boolean isOn() {
        return last != null;
    }

    /** How long it has lasted, for a caller that arrived at {@code startNanos}. */
    long lastsSince(long startNanos, long now) {
        return now - (startNanos - sinceNanos > 0 ? startNanos : sinceNanos);
    }

    /**
     * How long to wait before the next attempt: doubled up to a limit, with jitter so that clients do not retry
     * together.
     */
    long pauseNanos(DoubleSupplier random) {
        long pause = EngineSettings.RETRY_MIN_NANOS << Math.min(count, 5);
        return (long) (Math.min(pause, EngineSettings.RETRY_MAX_NANOS) * (0.5 + random.getAsDouble() / 2));
    }

    StoreException toException(String message) {
        return last == null
                ? Exceptions.get().store(message)
                : StoreExceptions.of(message + " (" + last.getMessage() + ")", last);
    }
}
