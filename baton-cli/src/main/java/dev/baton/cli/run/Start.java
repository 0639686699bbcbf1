package dev.baton.cli.run;

import dev.baton.Lease;
import dev.baton.StoreException;
import dev.baton.StoreException.Reason;
import dev.baton.cli.console.HostTime;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * Gets a command to the point where it may start. Until then nothing has run, so a failure loses nothing. If many
 * processes start in the same second, the store answers late, and a lock that was handed over may expire before this
 * process gets a processor to claim it. In that case this class retries, as long as it may wait.
 */
final class Start {
    /** How often a caller without waiting time may get the lock and then lose it by being late. */
    static final int TRIES = 3;

    /** How long it retries a store that does not answer in time. */
    private static final Duration PATIENCE = Duration.ofMinutes(1);

    /** Longer than any try on a silent store: a try that takes longer got an answer in between. */
    private static final Duration LONGEST_TRY = Duration.ofSeconds(20);

    private static final long PAUSE_MILLIS = 250;

    private final @Nullable Duration limit;
    private HostTime.Stopwatch waited = new HostTime.Stopwatch();
    private final Duration patience;
    private HostTime.Stopwatch silent = new HostTime.Stopwatch();

    /**
     * Makes a start.
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
     * A lease that the store confirmed after it was acquired.
     *
     * @param lease held
     * @param terms for how long it is certain
     */
    record Ready(Lease lease, Terms terms) {}

    /** A call to the store. */
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

    /** Returns for how long a lease is certain; empty if it is lost. */
    interface Confirmation {
        Optional<Terms> of(Lease lease);
    }

    /**
     * Connects. Retries if the store was late, but not if it is missing or refuses.
     *
     * @param connection connects within its own time limit
     * @param usual that time limit: a failure that comes much sooner is an answer
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
     * Acquires a lease, and has it confirmed.
     *
     * @return empty if another client holds it for as long as this one may wait
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
                // A caller without waiting time may retry too: its first try did get the lock.
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

    /** Returns for how long it may still wait; null for as long as it takes. */
    private @Nullable Duration left() {
        if (limit == null) {
            return null;
        }
        Duration left = limit.minus(waited.elapsed());
        return left.isNegative() ? Duration.ZERO : left;
    }

    /** Returns how long it has waited since it connected; zero if it must not wait. */
    Duration waited() {
        return limit != null && limit.isZero() ? Duration.ZERO : waited.elapsed();
    }

    private boolean isOver() {
        Duration left = left();
        return left != null && left.isZero();
    }
}
