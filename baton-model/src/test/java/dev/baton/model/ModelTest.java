package dev.baton.model;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.List;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Within the bounds of the day, TLC visits every state of the protocol and finds no violation. */
class ModelTest {
    private static final Duration LIMIT = Duration.ofMinutes(15);

    static List<Complete> runs() {
        return Runs.BY_DAY;
    }

    @ParameterizedTest
    @MethodSource("runs")
    void allRules_noViolation(Complete complete) throws Exception {
        check(complete, LIMIT);
    }

    static void check(Complete complete, Duration limit) throws Exception {
        Tlc.Result result = Tlc.run(complete.run(), 2, limit);
        assertThat(result.violated()).as("see %s", result.directory()).isEmpty();
        assertThat(result.isComplete())
                .as("TLC visited every state: see %s", result.directory())
                .isTrue();
        assertThat(result.states())
                .as("distinct states: another number means that the model is another one. See %s", result.directory())
                .hasValue(complete.states());
    }
}
