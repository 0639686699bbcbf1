package dev.baton.internal.store;

import static org.assertj.core.api.Assertions.assertThat;

import dev.baton.spi.Deadline;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

class PaceTest {
    private static final long NEAR = TimeUnit.MICROSECONDS.toNanos(200);
    private static final long FAR = TimeUnit.MILLISECONDS.toNanos(2);

    private final Pace pace = new Pace(4, TimeUnit.MINUTES.toNanos(1));

    private void took(int times, long nanos, int commands) {
        for (int i = 0; i < times; i++) {
            pace.took(nanos, commands);
        }
    }

    private boolean isAnotherDue(int underWay, int waiting) {
        return pace.isAnotherDue(underWay, waiting, pace.patience());
    }

    @Test
    void near_commandsWaitForTheCallUnderWay_unlessTheyAreMany() {
        took(1, NEAR, 1);
        assertThat(isAnotherDue(0, 1)).isTrue();
        assertThat(isAnotherDue(1, 15)).isFalse();
        assertThat(isAnotherDue(1, 16)).isTrue();
        assertThat(isAnotherDue(2, 31)).isFalse();
        assertThat(isAnotherDue(2, 32)).isTrue();
    }

    @Test
    void far_someCallsAreUnderWayAtOnce() {
        took(100, FAR, 1);
        assertThat(isAnotherDue(3, 1)).isTrue();
        assertThat(isAnotherDue(4, 63)).isFalse();
        assertThat(isAnotherDue(4, 64)).isTrue();
    }

    /** Its commands take time at the server, however near that is. */
    @Test
    void callOfMany_saysNothingOfTheDistance() {
        took(100, NEAR, 1);
        took(100, FAR, 16);
        assertThat(isAnotherDue(1, 1)).isFalse();
    }

    @Test
    void slowCalls_onAServerThatIsNear_areStalls() {
        took(100, NEAR, 1);
        took(5, FAR, 1);
        assertThat(isAnotherDue(1, 1)).isFalse();
    }

    /** As they are in each program, whose code is not compiled yet. */
    @Test
    void firstCalls_thatAreSlow_sayNothingOfTheDistance() {
        took(60, 10 * FAR, 1);
        assertThat(isAnotherDue(1, 1)).isFalse();
        took(10, NEAR, 1);
        assertThat(isAnotherDue(1, 1)).isFalse();
    }

    @Test
    void serverThatWasTakenForFar_isFoundToBeNear() {
        took(100, FAR, 1);
        assertThat(isAnotherDue(1, 1)).isTrue();
        took(6, NEAR, 1);
        assertThat(isAnotherDue(1, 1)).isFalse();
    }

    @Test
    void serverThatMovesAway_isFoundToBeFar() {
        took(100, NEAR, 1);
        took(50, FAR, 1);
        assertThat(isAnotherDue(1, 1)).isTrue();
    }

    @Test
    void commandThatHasWaitedTooLong_isSentBesideTheOthers() {
        took(1, NEAR, 1);
        assertThat(pace.isAnotherDue(1, 1, Deadline.in(0))).isTrue();
    }
}
