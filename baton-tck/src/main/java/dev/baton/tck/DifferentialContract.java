package dev.baton.tck;

import dev.baton.spi.Deadline;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

/**
 * Sends the same random commands on the same clock to the store under test and to the reference machine. Both must give
 * the same answers: grants, tokens, deadlines, positions, the remaining records, and the views for users. Only the
 * server's identity may differ.
 *
 * <p>A failure prints its seed; {@code -Dbaton.seed=N} runs only that one. {@code -Dbaton.nightly=true} runs
 * {@value #NIGHTLY_SEEDS} seeds instead of {@value #SEEDS}.
 */
public abstract class DifferentialContract {
    static final int SEEDS = 60;
    static final int NIGHTLY_SEEDS = 3_000;

    /** By day, a slow store gets no more time than this, but at least this many seeds. */
    static final int LEAST_SEEDS = 10;

    static final long ENOUGH_NANOS = TimeUnit.SECONDS.toNanos(5);
    static final int COMMANDS = 400;

    /** For subclasses. */
    protected DifferentialContract() {}

    /**
     * Returns a store to test, empty.
     *
     * @return the fixture; the contract closes it
     * @throws Exception if the store cannot be made, which fails the test
     */
    protected abstract StoreFixture newFixture() throws Exception;

    @Test
    void randomCommands_toStoreAndReference_areAnsweredAlike() throws Exception {
        Long only = Long.getLong("baton.seed");
        if (only != null) {
            run(newFixture(), only);
            return;
        }
        boolean nightly = Boolean.getBoolean("baton.nightly");
        long seeds = nightly ? NIGHTLY_SEEDS : SEEDS;
        Deadline enough = Deadline.in(ENOUGH_NANOS);
        for (long seed = 1; seed <= seeds && (seed <= LEAST_SEEDS || nightly || enough.leftNanos() > 0); seed++) {
            run(newFixture(), seed);
        }
    }

    /** Runs one sequence, and closes the fixture. */
    static void run(StoreFixture fixture, long seed) throws Exception {
        try (fixture;
                DifferentialPair pair = new DifferentialPair(fixture)) {
            DifferentialScript script = new DifferentialScript(seed, pair);
            try {
                script.run(COMMANDS);
            } catch (AssertionError | Exception e) {
                throw new AssertionError(
                        "seed " + seed + " (-Dbaton.seed=" + seed + "), command " + script.sent() + ": "
                                + e.getMessage() + "\nThe last commands:\n" + String.join("\n", pair.log()),
                        e);
            }
        }
    }
}
