package dev.baton.internal.client;

import dev.baton.Lease;
import dev.baton.ReleaseOutcome;
import dev.baton.StoreException;
import dev.baton.StoreReport;
import dev.baton.internal.Exceptions;
import dev.baton.internal.engine.Clock;
import dev.baton.spi.ResourceView;
import dev.baton.spi.Store;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/** Examines one store as a whole. */
final class Examination {
    /** Begins the names of the locks that examinations take. */
    static final String RESERVED = "baton-examination:";

    private static final int LOCKS = 50;
    private static final int CLOCK_LOOKS = 5;
    private static final long PATIENCE_NANOS = TimeUnit.SECONDS.toNanos(5);
    private static final Duration TOLERATED = Duration.ofSeconds(1);

    private final Questions questions;
    private final Store store;
    private final Clock clock;
    private final LeaseLock lock;
    private final List<Duration> roundTrips = new ArrayList<>();
    private @Nullable Duration clockDifference;

    /**
     * Creates an examination.
     *
     * @param lock a lock that no other client takes
     */
    Examination(Questions questions, Store store, Clock clock, LeaseLock lock) {
        this.questions = questions;
        this.store = store;
        this.clock = clock;
        this.lock = lock;
    }

    StoreReport report() {
        Map<String, String> facts = questions.ask("the store did not report its facts", Store::facts);
        long start = clock.nanos();
        for (int i = 0; i < LOCKS && clock.nanos() - start < PATIENCE_NANOS; i++) {
            takeAndFree();
        }
        List<String> warnings = new ArrayList<>(store.warnings());
        Duration difference = clockDifference;
        if (difference != null && difference.abs().compareTo(TOLERATED) > 0) {
            warnings.add(clockWarning(difference));
        }
        return new Findings(
                store.capabilities().inWords(), facts, warnings, Optional.ofNullable(difference), roundTrips);
    }

    /** Each command is one round trip: no other client knows the name, and the caller's own thread asks. */
    private void takeAndFree() {
        long start = clock.nanos();
        Lease lease = lock.tryAcquire()
                .orElseThrow(() -> Exceptions.get()
                        .store("another client holds the lock of this examination: \"" + lock.name() + '"'));
        roundTrips.add(Duration.ofNanos(clock.nanos() - start));
        if (clockDifference == null && store.capabilities().session() == null) {
            clockDifference = compareClocks();
        }
        start = clock.nanos();
        ReleaseOutcome outcome = lease.release();
        roundTrips.add(Duration.ofNanos(clock.nanos() - start));
        if (outcome != ReleaseOutcome.RELEASED) {
            StoreException.Reason reason =
                    outcome == ReleaseOutcome.UNKNOWN ? StoreException.Reason.UNREACHABLE : StoreException.Reason.OTHER;
            throw Exceptions.get().store(reason, "could not release \"" + lock.name() + "\": " + outcome, null);
        }
    }

    /** The reading with the shortest round trip tells best when the store read its clock. */
    private Duration compareClocks() {
        Duration difference = Duration.ZERO;
        long shortest = Long.MAX_VALUE;
        for (int i = 0; i < CLOCK_LOOKS; i++) {
            long wallBefore = clock.wallMillis();
            long start = clock.nanos();
            ResourceView view = look();
            long roundTrip = clock.nanos() - start;
            if (roundTrip < shortest) {
                shortest = roundTrip;
                long middleMicros = (wallBefore + clock.wallMillis()) * 500;
                difference = Duration.ofNanos((view.stamp().nowMicros() - middleMicros) * 1_000);
            }
        }
        return difference;
    }

    private ResourceView look() {
        return questions
                .ask(
                        "could not look at \"" + lock.name() + '"',
                        (asked, timeout) -> asked.inspect(lock.name(), timeout))
                .orElseThrow(() ->
                        Exceptions.get().store("the store granted \"" + lock.name() + "\" and knows nothing of it"));
    }

    /**
     * A difference of more than a second means that one of the two machines does not synchronize its clock. Leases do
     * not depend on the difference, but on the step when the operator corrects the store's clock.
     */
    private static String clockWarning(Duration difference) {
        return "the store's clock is " + seconds(difference.abs())
                + (difference.isNegative() ? " behind" : " ahead of")
                + " this machine's: one of them is wrong, and when the store's is set forward, leases end early and two"
                + " may hold the same lock; let NTP keep both, and slew rather than step the store's";
    }

    private static String seconds(Duration time) {
        return Math.round(time.toMillis() / 100.0) / 10.0 + " s";
    }
}
