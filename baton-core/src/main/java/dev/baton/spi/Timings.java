package dev.baton.spi;

import java.time.Duration;
import java.util.Objects;

/**
 * Times that belong to a namespace: every client of it must use the same.
 *
 * @param claimWindow how long a hand-off stands before its first heartbeat must have arrived
 * @param presence how long a ticket stays in the queue without a heartbeat; shorter than {@code grace}
 * @param grace G: how long a client may believe in a hold without an answer, and how long the store grants nothing new
 *     after it may have forgotten holds
 * @since 0.1
 */
public record Timings(Duration claimWindow, Duration presence, Duration grace) {
    /** 3 s: three heartbeats may be lost before a hand-off to a live client is taken back. */
    public static final Duration DEFAULT_CLAIM_WINDOW = Duration.ofSeconds(3);
    /** 10 s: longer than the stop-the-world pauses of a healthy JVM, shorter than users wait for a dead one. */
    public static final Duration DEFAULT_PRESENCE = Duration.ofSeconds(10);
    /** 60 s: a failover is over by then, and an operator can wait it out. */
    public static final Duration DEFAULT_GRACE = Duration.ofSeconds(60);

    /** The defaults of every namespace. */
    public static final Timings DEFAULTS = new Timings(DEFAULT_CLAIM_WINDOW, DEFAULT_PRESENCE, DEFAULT_GRACE);

    /**
     * Refuses times that cannot work together.
     *
     * @throws IllegalArgumentException if a time is not positive, or {@code presence} is not shorter than {@code grace}
     */
    public Timings {
        requirePositive(claimWindow, "claimWindow");
        requirePositive(presence, "presence");
        requirePositive(grace, "grace");
        // If a ticket outlived a grace period, it could be granted although its attempt was over before the store
        // forgot.
        if (presence.compareTo(grace) >= 0) {
            throw new IllegalArgumentException(
                    "presence (" + presence + ") must be shorter than grace (" + grace + ")");
        }
    }

    /**
     * Returns the defaults for a namespace with another G; the other times are at most half of it.
     *
     * @param grace G
     * @return the times
     * @throws IllegalArgumentException if half of {@code grace} is not positive
     */
    public static Timings withGrace(Duration grace) {
        Duration half = grace.dividedBy(2);
        return new Timings(
                DEFAULT_CLAIM_WINDOW.compareTo(half) < 0 ? DEFAULT_CLAIM_WINDOW : half,
                DEFAULT_PRESENCE.compareTo(half) < 0 ? DEFAULT_PRESENCE : half,
                grace);
    }

    private static void requirePositive(Duration value, String what) {
        if (Objects.requireNonNull(value, what).isNegative() || value.isZero()) {
            throw new IllegalArgumentException(what + " must be positive, but is " + value);
        }
    }

    /**
     * Returns the claim window in microseconds.
     *
     * @return microseconds
     * @throws ArithmeticException if it is longer than 292 years
     */
    public long claimMicros() {
        return claimWindow.toNanos() / 1_000;
    }

    /**
     * Returns the presence of a ticket in microseconds.
     *
     * @return microseconds
     * @throws ArithmeticException if it is longer than 292 years
     */
    public long presenceMicros() {
        return presence.toNanos() / 1_000;
    }

    /**
     * Returns G in microseconds.
     *
     * @return microseconds
     * @throws ArithmeticException if it is longer than 292 years
     */
    public long graceMicros() {
        return grace.toNanos() / 1_000;
    }
}
