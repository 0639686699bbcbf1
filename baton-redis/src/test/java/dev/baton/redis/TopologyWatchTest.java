package dev.baton.redis;

import static dev.baton.redis.Clients.since;
import static dev.baton.redis.Clients.until;
import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

class TopologyWatchTest {
    @Test
    void look_thatLeavesSomethingUndone_isRepeatedSoon_andOthersAreNot() throws Exception {
        AtomicInteger looks = new AtomicInteger();
        try (TopologyWatch watch = new TopologyWatch(() -> looks.incrementAndGet() >= 3, "watch")) {
            watch.start();
            long begun = System.nanoTime();
            watch.lookSoon();
            until("it has looked until all was done", () -> looks.get() == 3);
            // Looks that are not soon come five seconds apart.
            assertThat(since(begun)).isBetween(Duration.ofNanos(TopologyWatch.AGAIN_NANOS * 2), Duration.ofSeconds(9));
            Thread.sleep(Duration.ofNanos(TopologyWatch.AGAIN_NANOS * 2).toMillis());
            assertThat(looks).as("nothing is left to do").hasValue(3);
        }
    }

    @Test
    void look_thatThrows_isTold_andTheNextOneFollows() throws Exception {
        AtomicInteger looks = new AtomicInteger();
        AtomicInteger told = new AtomicInteger();
        Thread.UncaughtExceptionHandler before = Thread.getDefaultUncaughtExceptionHandler();
        Thread.setDefaultUncaughtExceptionHandler((thread, defect) -> told.incrementAndGet());
        try (TopologyWatch watch = new TopologyWatch(
                () -> {
                    if (looks.incrementAndGet() == 1) {
                        throw new IllegalStateException("a defect");
                    }
                    return true;
                },
                "watch")) {
            watch.start();
            watch.lookSoon();
            until("it looks again", () -> looks.get() == 2);
            assertThat(told).hasValue(1);
        } finally {
            Thread.setDefaultUncaughtExceptionHandler(before);
        }
    }
}
