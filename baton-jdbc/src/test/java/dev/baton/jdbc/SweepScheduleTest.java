package dev.baton.jdbc;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;

class SweepScheduleTest {
    private static final long START = 1_700_000_000_000_000L;
    private static final long SECOND = 1_000_000;

    private final SweepSchedule schedule = new SweepSchedule();

    /** Returns how many batches commands bring that come once a second. */
    private long batches(long fromSecond, long toSecond) {
        return LongStream.range(fromSecond, toSecond)
                .filter(second -> schedule.isDue(START + second * SECOND))
                .count();
    }

    @Test
    void clientThatReleasesNothing_sweepsOnceInHalfAMinute() {
        assertThat(batches(0, 1)).as("its first command").isEqualTo(1);
        assertThat(batches(1, 30)).isZero();
        assertThat(batches(30, 300)).isEqualTo(9);
    }

    @Test
    void release_isFollowedByABatchASecond_untilTwoWalksHaveEnded() {
        batches(0, 1);
        schedule.released();
        assertThat(batches(1, 11)).isEqualTo(10);
        schedule.walked();
        assertThat(batches(11, 21))
                .as("a walk that may have begun before the release")
                .isEqualTo(10);
        schedule.walked();
        assertThat(batches(21, 41)).isZero();
    }

    @Test
    void releaseDuringAWalk_needsTwoWalksAgain() {
        schedule.released();
        schedule.walked();
        schedule.released();
        schedule.walked();
        assertThat(batches(0, 10)).isEqualTo(10);
        schedule.walked();
        schedule.walked();
        schedule.released();
        assertThat(batches(10, 20)).as("more walks than needed count once").isEqualTo(10);
    }

    @Test
    void manyReleases_bringABatchAtOnce_andOne() {
        batches(0, 1);
        for (int i = 0; i < SweepSchedule.RELEASES; i++) {
            assertThat(schedule.isDue(START + 1)).isFalse();
            schedule.released();
        }
        assertThat(schedule.isDue(START + 1)).isTrue();
        assertThat(schedule.isDue(START + 1)).isFalse();
    }

    @Test
    void clockThatSteppedBack_doesNotEndSweeping() {
        batches(3_600, 3_601);
        schedule.released();
        assertThat(batches(0, 10)).isEqualTo(10);
    }
}
