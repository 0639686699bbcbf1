package dev.baton.bench;

import java.util.List;

/** Samples for tests of the code that reads them. */
final class Samples {
    private static final long SECOND = 1_000_000_000;

    private Samples() {}

    /** One second with so many operations, in which everything else was counted once. */
    static Sample ofRate(int operations) {
        return new Sample(
                SECOND, List.of((long) operations), 0, new Usage(1, 1, 1, 1, 1), 1, 1, Waits.none(), Waits.none());
    }
}
