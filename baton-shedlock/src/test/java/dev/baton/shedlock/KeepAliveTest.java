package dev.baton.shedlock;

import static org.assertj.core.api.Assertions.assertThat;

import dev.baton.Baton;
import java.time.Duration;
import java.time.Instant;
import java.util.concurrent.Future;
import java.util.concurrent.ScheduledFuture;
import java.util.concurrent.ScheduledThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import net.javacrumbs.shedlock.core.LockConfiguration;
import net.javacrumbs.shedlock.core.SimpleLock;
import net.javacrumbs.shedlock.support.KeepAliveLockProvider;
import org.junit.jupiter.api.Test;

/** ShedLock's own keeper around this provider: it extends a lock at half of its time, as long as the job runs. */
class KeepAliveTest {
    private static final String URI = "memory://keep-alive";

    /** ShedLock keeps no lock alive that lasts for less. */
    private static final Duration AT_MOST = Duration.ofSeconds(30);

    /** Its periods are a hundredth of those that it is told, so that 15 seconds pass in 150 ms. */
    private static final class Hurried extends ScheduledThreadPoolExecutor implements AutoCloseable {
        Hurried() {
            super(1);
        }

        @Override
        public ScheduledFuture<?> scheduleAtFixedRate(Runnable task, long delay, long period, TimeUnit unit) {
            return super.scheduleAtFixedRate(
                    task, unit.toMicros(delay) / 100, unit.toMicros(period) / 100, TimeUnit.MICROSECONDS);
        }

        @Override
        public void close() {
            shutdownNow();
        }
    }

    @Test
    void lock_thatIsKeptAlive_isExtendedAtTheStore_untilItIsUnlocked() throws Exception {
        try (Hurried keeper = new Hurried();
                Baton node = Baton.connect(URI);
                Baton other = Baton.connect(URI)) {
            KeepAliveLockProvider provider = new KeepAliveLockProvider(new BatonLockProvider(node), keeper);
            SimpleLock held = provider.lock(new LockConfiguration(Instant.now(), "job", AT_MOST, Duration.ZERO))
                    .orElseThrow();
            for (int extended = 0; extended < 3; extended++) {
                Duration before = remaining(other);
                Thread.sleep(50); // the rest gets shorter, and only an extension makes it longer again
                awaitMoreThan(before, other);
            }
            held.unlock();
            assertThat(other.lock("job").tryAcquire()).isPresent();
            assertThat(keeper.getQueue()).allMatch(each -> ((Future<?>) each).isCancelled());
        }
    }

    private static Duration remaining(Baton node) {
        return node.lock("job").inspect().orElseThrow().holders().get(0).remaining();
    }

    private static void awaitMoreThan(Duration before, Baton node) throws InterruptedException {
        long end = System.nanoTime() + TimeUnit.SECONDS.toNanos(20);
        while (remaining(node).compareTo(before) <= 0) {
            assertThat(System.nanoTime()).as("it is extended").isLessThan(end);
            Thread.sleep(5);
        }
    }
}
