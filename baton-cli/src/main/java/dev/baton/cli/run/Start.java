package dev.baton.cli.run;

import dev.baton.Lease;
import dev.baton.StoreException;
import dev.baton.StoreException.Reason;
import dev.baton.cli.HostTime;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * Gets a command to the point where it may start. Until then nothing has begun, so nothing is lost: where many processes
 * start in the same second, a store answers late, and a lock that was handed over may be gone before this process had a
 * processor to say that it is there. Then it asks again, as long as it may wait.
 */
final class Start {
    /** So often who does not wait is told that the lock is its own, and then is late. */
    static final int TRIES = 3;

    /** For so long it asks a store that does not answer in time. */
    private static final Duration PATIENCE = Duration.ofMinutes(1);

    /** Longer than any try on a store that is silent: what ends later was answered in between. */
    private static final Duration LONGEST_TRY = Duration.ofSeconds(20);

    private static final long PAUSE_MILLIS = 250;

    private final @Nullable Duration limit;
    private HostTime.Stopwatch waited = new HostTime.Stopwatch();
    private final Duration patience;
    private HostTime.Stopwatch silent = new HostTime.Stopwatch();

    /**
     * A start.
     *
     * @param limit how long it may wait; null for as long as it takes
     */
    Start(@Nullable Duration limit) {
        this(limit, PATIENCE);
    }

    Start(@Nullable Duration limit, Duration patience) {
        this.limit = limit;
        this.patience = patience;
    }

    /**
     * A lease that was confirmed by the store after it was got.
     *
     * @param lease held
     * @param terms for how long it is sure
     */
    record Ready(Lease lease, Terms terms) {}

    /** Something that asks the store. */
    interface Ask<T> {
        T ask() throws InterruptedException;
    }

    /** One try to get the lease. */
    interface Try {
        /**
         * Asks for the lease.
         *
         * @param wait how long; null for as long as it takes
         */
        Optional<Lease> lease(@Nullable Duration wait) throws InterruptedException;
    }

    /** Says how long a lease is sure; empty if it is lost. */
    interface Confirmation {
        Optional<Terms> of(Lease lease);
    }

    /**
     * Connects; again if the store was late, but not if it is not there or refuses.
     *
     * @param connection connects within a time of its own
     * @param usual how long that is: a failure that comes much sooner is an answer
     */
    <T> T connect(Ask<T> connection, Duration usual) throws InterruptedException {
        while (true) {
            HostTime.Stopwatch taken = new HostTime.Stopwatch();
            try {
                T connected = connection.ask();
                silent = new HostTime.Stopwatch();
                waited = new HostTime.Stopwatch();
                return connected;
            } catch (StoreException failure) {
                if (taken.elapsed().compareTo(usual.dividedBy(2)) < 0) {
                    throw failure;
                }
                giveUpOrPause(failure);
            }
        }
    }

    /**
     * Gets a lease, and has it confirmed.
     *
     * @return empty if somebody else has it for as long as this one may wait
     * @throws StoreException if the store does not answer
     */
    Optional<Ready> lease(Try attempt, Confirmation confirmation) throws InterruptedException {
        int lost = 0;
        while (true) {
            HostTime.Stopwatch taken = new HostTime.Stopwatch();
            try {
                Optional<Lease> lease = attempt.lease(left());
                if (lease.isEmpty()) {
                    return Optional.empty();
                }
                Optional<Terms> terms = confirmed(lease.get(), confirmation);
                if (terms.isPresent()) {
                    return Optional.of(new Ready(lease.get(), terms.get()));
                }
                // Also who does not wait may ask again: the first time it was told that the lock is its own.
                if (++lost >= TRIES && isOver()) {
                    return Optional.empty();
                }
            } catch (StoreException failure) {
                if (taken.elapsed().compareTo(LONGEST_TRY) > 0) {
                    silent = new HostTime.Stopwatch();
                }
                giveUpOrPause(failure);
            }
        }
    }

    private static Optional<Terms> confirmed(Lease lease, Confirmation confirmation) {
        boolean confirmed = false;
        try {
            Optional<Terms> terms = confirmation.of(lease);
            confirmed = terms.isPresent();
            return terms;
        } finally {
            if (!confirmed) {
                lease.close();
            }
        }
    }

    private void giveUpOrPause(StoreException failure) {
        boolean refused = failure.reason() == Reason.DENIED || failure.reason() == Reason.UNFIT;
        if (refused || isOver() || silent.elapsed().compareTo(patience) > 0) {
            throw failure;
        }
        new CompletableFuture<Void>()
                .completeOnTimeout(null, PAUSE_MILLIS, TimeUnit.MILLISECONDS)
                .join();
    }

    /** For how long it may still wait; null for as long as it takes. */
    private @Nullable Duration left() {
        if (limit == null) {
            return null;
        }
        Duration left = limit.minus(waited.elapsed());
        return left.isNegative() ? Duration.ZERO : left;
    }

    /** How long it has waited since it was connected; not at all if it was not to. */
    Duration waited() {
        return limit != null && limit.isZero() ? Duration.ZERO : waited.elapsed();
    }

    private boolean isOver() {
        Duration left = left();
        return left != null && left.isZero();
    }
}
