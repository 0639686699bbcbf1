package dev.baton.memcached;

import static org.assertj.core.api.Assertions.assertThat;

import dev.baton.spi.Deadline;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

/** Clocks of a server that counts in seconds. */
class StoreClockTest {
    private static final long SERVER_SECONDS = 1_800_000_000L;
    private static final long SERVER_MICROS = SERVER_SECONDS * 1_000_000;

    private static long shown(long machineMicros) {
        return StoreClock.between(SERVER_SECONDS, machineMicros).micros() - SERVER_MICROS;
    }

    @Test
    void machinesClock_isTaken_whereTheServersMayBeTheSame() {
        assertThat(shown(SERVER_MICROS + 2_900_000)).isBetween(2_900_000L, 3_400_000L);
        assertThat(shown(SERVER_MICROS)).isBetween(0L, 500_000L);
        assertThat(shown(SERVER_MICROS - 1)).isBetween(1_500_000L, 2_000_000L);
        assertThat(shown(SERVER_MICROS + 3_000_001)).isBetween(1_500_000L, 2_000_000L);
    }

    @Test
    void serversTime_isNeverThoughtEarlierThanItMayBe() {
        ServerTime time = new ServerTime(SERVER_SECONDS, Deadline.in(0), Deadline.in(0));
        assertThat(time.latestMicros()).isGreaterThanOrEqualTo(SERVER_MICROS + 1_000_000);
        Deadline tenSecondsAgo = Deadline.in(TimeUnit.SECONDS.toNanos(-10));
        ServerTime earlier = new ServerTime(SERVER_SECONDS, tenSecondsAgo, tenSecondsAgo);
        assertThat(earlier.latestMicros()).isGreaterThanOrEqualTo(SERVER_MICROS + 11_100_000);
        assertThat(earlier.isOld()).isFalse();
    }

    @Test
    void serversTime_thatStoodStill_isNotBelieved() {
        Deadline minuteAgo = Deadline.in(TimeUnit.SECONDS.toNanos(-60));
        ServerTime known = new ServerTime(SERVER_SECONDS, minuteAgo, minuteAgo);
        assertThat(known.isOld()).isTrue();
        ServerTime stopped = new ServerTime(SERVER_SECONDS + 40, Deadline.in(0), Deadline.in(0));
        assertThat(known.orNewer(stopped)).isSameAs(known);
        ServerTime right = new ServerTime(SERVER_SECONDS + 60, Deadline.in(0), Deadline.in(0));
        assertThat(known.orNewer(right)).isSameAs(right);
    }

    @Test
    void answer_thatTookLong_isAskedForAgain() {
        Deadline secondAgo = Deadline.in(TimeUnit.SECONDS.toNanos(-1));
        assertThat(new ServerTime(SERVER_SECONDS, secondAgo, Deadline.in(0)).wasSlow())
                .isTrue();
        assertThat(new ServerTime(SERVER_SECONDS, secondAgo, secondAgo).wasSlow())
                .isFalse();
    }
}
