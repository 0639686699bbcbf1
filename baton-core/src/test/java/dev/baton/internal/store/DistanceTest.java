package dev.baton.internal.store;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class DistanceTest {
    private static final long NEAR = Distance.NEAR_NANOS;
    private final Distance distance = new Distance();

    private void measured(int times, long nanos) {
        for (int i = 0; i < times; i++) {
            distance.measured(nanos);
        }
    }

    @Test
    void newConnection_isNotFar() {
        assertThat(distance.isFar()).isFalse();
        assertThat(distance.mayBeFar()).isTrue();
    }

    @Test
    void fewSlowAnswers_mayHaveOtherReasons() {
        measured(7, NEAR + 1);
        assertThat(distance.isFar()).isFalse();
        measured(1, NEAR + 1);
        assertThat(distance.isFar()).isTrue();
    }

    @Test
    void oneQuickAnswer_showsThatItIsNear_forGood() {
        measured(100, 10 * NEAR);
        measured(1, NEAR);
        assertThat(distance.isFar()).isFalse();
        assertThat(distance.mayBeFar()).isFalse();
    }

    @Test
    void slowAnswers_neverEndTheLook() {
        measured(1_000_000, NEAR + 1);
        assertThat(distance.isFar()).isTrue();
        assertThat(distance.mayBeFar()).isTrue();
    }
}
