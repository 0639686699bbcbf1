package dev.baton.internal.engine;

import static org.assertj.core.api.Assertions.assertThat;

import dev.baton.spi.Stamp;
import org.junit.jupiter.api.Test;

class ShardAnswersTest {
    private static final long MILLI = 1_000_000;
    private static final long SECOND = 1_000 * MILLI;

    private final ShardAnswers answers = new ShardAnswers();

    /** An answer of a server whose clock is ahead of ours. */
    private long given(String runId, long aheadNanos, long sentNanos, long trulyGivenNanos, long now) {
        Stamp stamp = new Stamp(runId, (trulyGivenNanos + aheadNanos) / 1_000, 0);
        return answers.givenNanos(new Belief.Sync(sentNanos, 0, stamp), now);
    }

    @Test
    void slowAnswer_doesNotMakeTheNextOnesOlder() {
        assertThat(given("a", 7 * SECOND, 0, MILLI, MILLI)).isEqualTo(MILLI);
        assertThat(given("a", 7 * SECOND, 0, 900 * MILLI, 900 * MILLI)).isEqualTo(900 * MILLI);
        assertThat(given("a", 7 * SECOND, 100 * MILLI, SECOND, 3 * SECOND)).isEqualTo(SECOND);
    }

    @Test
    void firstAnswer_thatComesLate_misleadsOnlyUntilAFasterOne() {
        assertThat(given("a", 0, 0, MILLI, 4 * SECOND)).isEqualTo(4 * SECOND);
        assertThat(given("a", 0, 4 * SECOND, 4 * SECOND + MILLI, 4 * SECOND + 2 * MILLI))
                .isEqualTo(4 * SECOND + 2 * MILLI);
        assertThat(given("a", 0, 5 * SECOND, 5 * SECOND + MILLI, 8 * SECOND)).isEqualTo(5 * SECOND + 2 * MILLI);
    }

    @Test
    void clockThatIsSetBack_isMeasuredAnew() {
        assertThat(given("a", 60 * SECOND, 0, MILLI, MILLI)).isEqualTo(MILLI);
        assertThat(given("a", 0, SECOND, SECOND + MILLI, SECOND + 2 * MILLI)).isEqualTo(SECOND);
        assertThat(given("a", 0, 2 * SECOND, 2 * SECOND + MILLI, 9 * SECOND)).isEqualTo(2 * SECOND + 2 * MILLI);
    }

    @Test
    void clockThatIsSetForward_andAnotherServer_areMeasuredAnew() {
        assertThat(given("a", 0, 0, MILLI, MILLI)).isEqualTo(MILLI);
        assertThat(given("a", 60 * SECOND, SECOND, SECOND + MILLI, SECOND + MILLI))
                .isEqualTo(SECOND + MILLI);
        assertThat(given("b", 0, 2 * SECOND, 2 * SECOND + MILLI, 2 * SECOND + MILLI))
                .isEqualTo(2 * SECOND + MILLI);
    }
}
