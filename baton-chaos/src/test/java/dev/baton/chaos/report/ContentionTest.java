package dev.baton.chaos.report;

import static org.assertj.core.api.Assertions.assertThat;

import dev.baton.chaos.history.Hold;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class ContentionTest {
    private final Runs runs = new Runs();

    private Map<String, List<Hold>> byName() {
        return runs.evidence().history().byName();
    }

    @Test
    void aHoldIsContendedIfItWasAskedForWhileAnotherHadTheLock() {
        runs.hold(1, "a", 0, 1, 10, Hold.End.RELEASED);
        Hold contended = runs.hold(2, "a", 9, 11, 12, Hold.End.RELEASED);
        runs.hold(2, "a", 13, 14, 15, Hold.End.RELEASED);
        runs.hold(2, "b", 9, 14, 15, Hold.End.RELEASED);
        assertThat(Contention.byName(byName())).isEqualTo(Map.of("a", List.of(contended), "b", List.of()));
    }

    @Test
    void theMostContendedLockIsNotTheOneWithTheMostHolds() {
        for (int i = 0; i < 10; i++) {
            runs.hold(1, "a", 10 * i, 10 * i + 1, 10 * i + 2, Hold.End.RELEASED);
        }
        runs.hold(1, "b", 0, 1, 10, Hold.End.RELEASED);
        runs.hold(2, "b", 9, 11, 12, Hold.End.RELEASED);
        assertThat(Contention.mostContended(byName())).isEqualTo("b");
    }
}
