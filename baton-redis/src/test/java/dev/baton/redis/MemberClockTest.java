package dev.baton.redis;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class MemberClockTest {
    private static final long GRACE = 60_000_000;
    private static final long MILLI = 1_000;
    private static final long SECOND = 1_000_000;

    /** How far the member's clock is ahead, and how long a command and its answer are on their way. */
    private static final long AHEAD = 1_700_000_000_000_000L;

    private static final long TRIP = 2 * MILLI;

    private long now;
    private final MemberClock clock = new MemberClock(GRACE, () -> now);

    /** Asks at a time; the member reads its clock half of a round trip later. */
    private void ask(long micros, long jumped) {
        now = micros + TRIP;
        clock.told(AHEAD + jumped + micros + TRIP / 2, micros, now);
    }

    private boolean isDoubted() {
        return clock.doubtMicros() > 0;
    }

    @Test
    void steadyClock_isNotDoubted_howeverLate_anAnswerIs() {
        for (int i = 0; i < 100; i++) {
            ask(i * SECOND, 0);
            // The answer waits here for a second, or the command did on its way.
            clock.told(AHEAD + i * SECOND, i * SECOND, (i + 1) * SECOND);
            clock.told(AHEAD + (i + 1) * SECOND, i * SECOND, (i + 1) * SECOND);
        }
        assertThat(isDoubted()).isFalse();
    }

    @ParameterizedTest
    @ValueSource(longs = {50 * MILLI, SECOND, 10 * SECOND, 3_600 * SECOND})
    void jumpForward_isSeen_andDoubtedForAGracePeriod(long jump) {
        ask(0, 0);
        ask(SECOND, jump);
        assertThat(clock.doubtMicros()).isEqualTo(GRACE);
        now += GRACE - 1;
        assertThat(clock.doubtMicros()).isEqualTo(1);
        now += 1;
        assertThat(clock.doubtMicros()).isZero();
    }

    @Test
    void jumpBack_isNoneForward_butItsEndIs() {
        ask(0, 0);
        ask(SECOND, -10 * SECOND);
        assertThat(isDoubted()).isFalse();
        ask(2 * SECOND, 0);
        assertThat(isDoubted()).isTrue();
    }

    @Test
    void drift_ofAHundredth_isAllowed() {
        for (int i = 0; i < 1_000; i++) {
            ask(i * SECOND, i * SECOND / 101);
        }
        assertThat(isDoubted()).isFalse();
    }

    @Test
    void lateAnswer_widensNoBound() {
        ask(0, 0);
        // Asked long before its answer: alone it would allow a second more.
        clock.told(AHEAD + 10 * SECOND, 9 * SECOND, 10 * SECOND);
        ask(10 * SECOND, SECOND / 2);
        assertThat(isDoubted()).isTrue();
    }

    @Test
    void firstAnswer_tellsNothingOfTheTimeBefore() {
        ask(0, 3_600 * SECOND);
        assertThat(isDoubted()).isFalse();
    }
}
