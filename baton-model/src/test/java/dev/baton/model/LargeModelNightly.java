package dev.baton.model;

import java.time.Duration;
import java.util.List;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** The same as {@link ModelTest}, within larger bounds. */
class LargeModelNightly {
    private static final Duration LIMIT = Duration.ofMinutes(60);

    static List<Complete> runs() {
        return Runs.BY_NIGHT;
    }

    @ParameterizedTest
    @MethodSource("runs")
    void allRules_noViolation(Complete complete) throws Exception {
        ModelTest.check(complete, LIMIT);
    }
}
