package dev.baton.tck;

import dev.baton.spi.StoreFailure;
import org.junit.jupiter.api.Test;

/**
 * The store under test and the reference machine are sent the same random commands on the same clock, and must give
 * the same answers: grants, tokens, deadlines, positions, what is left, and what people are shown. Only the server's
 * identity may differ.
 *
 * <p>A failure prints its seed; {@code -Dbaton.seed=N} runs that one alone. {@code -Dbaton.nightly=true} runs
 * {@value #NIGHTLY_SEEDS} seeds instead of {@value #SEEDS}.
 */
public abstract class DifferentialContract {
    static final int SEEDS = 60;
    static final int NIGHTLY_SEEDS = 3_000;
    static final int COMMANDS = 400;

    /** For subclasses. */
    protected DifferentialContract() {}

    /**
     * A store to test, empty.
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
        long seeds = Boolean.getBoolean("baton.nightly") ? NIGHTLY_SEEDS : SEEDS;
        for (long seed = 1; seed <= seeds; seed++) {
            run(newFixture(), seed);
        }
    }

    /** One sequence; closes the fixture. */
    static void run(StoreFixture fixture, long seed) throws Exception {
        try (fixture;
                DifferentialPair pair = new DifferentialPair(fixture)) {
            DifferentialScript script = new DifferentialScript(seed, pair);
            try {
                script.run(COMMANDS);
            } catch (AssertionError | StoreFailure e) {
                throw new AssertionError(
                        "seed " + seed + " (-Dbaton.seed=" + seed + "), command " + script.sent() + ": "
                                + e.getMessage() + "\nThe last commands:\n" + String.join("\n", pair.log()),
                        e);
            }
        }
    }
}
