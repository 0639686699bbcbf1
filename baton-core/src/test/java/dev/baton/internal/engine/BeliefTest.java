package dev.baton.internal.engine;

import static org.assertj.core.api.Assertions.assertThat;

import dev.baton.spi.Stamp;
import org.junit.jupiter.api.Test;

class BeliefTest {
    private static final long SECOND = 1_000_000_000L;
    private static final long GRACE = 60 * SECOND;

    private static Belief belief(long sentNanos, long serverMicros, long deadlineMicros) {
        return Belief.of(new Belief.Sync(sentNanos, 5_000, new Stamp("run", serverMicros, 0)), deadlineMicros, GRACE);
    }

    @Test
    void belief_answeredLate_countsFromSending() {
        Belief belief = belief(7 * SECOND, 1_000_000, 11_000_000);
        long tenSecondsLessDriftAndMargin = 10 * SECOND - SECOND / 10 - 5_000_000;
        assertThat(belief.untilNanos()).isEqualTo(7 * SECOND + tenSecondsLessDriftAndMargin);
        assertThat(belief.untilWallMillis()).isEqualTo(5_000 + tenSecondsLessDriftAndMargin / 1_000_000 + 2);
    }

    @Test
    void belief_leaseLongerThanGrace_endsWithGraceButRenewalIsPlannedByTheStore() {
        Belief belief = belief(0, 0, 300_000_000);
        assertThat(belief.untilNanos()).isLessThan(GRACE);
        assertThat(belief.storeEndNanos()).isGreaterThan(290 * SECOND);
    }

    @Test
    void belief_deadlineInThePast_neverHolds() {
        Belief belief = belief(3 * SECOND, 2_000_000, 1_000_000);
        assertThat(belief.holdsAt(3 * SECOND, 5_000)).isFalse();
        assertThat(belief.isOver(3 * SECOND)).isTrue();
    }

    @Test
    void belief_wallClockOutran_doesNotHoldThoughItIsNotOver() {
        Belief belief = belief(0, 0, 10_000_000);
        assertThat(belief.holdsAt(SECOND, 5_000 + 1_000)).isTrue();
        assertThat(belief.holdsAt(SECOND, 5_000 + 11_000)).isFalse();
        assertThat(belief.isOver(SECOND)).isFalse();
    }

    @Test
    void belief_answersOutOfOrder_theLaterRequestWins() {
        Belief later = belief(5 * SECOND, 5_000_000, 12_000_000);
        Belief earlier = belief(0, 0, 10_000_000);
        assertThat(later.orNewer(earlier)).isSameAs(later);
        assertThat(earlier.orNewer(later)).isSameAs(later);
    }
}
