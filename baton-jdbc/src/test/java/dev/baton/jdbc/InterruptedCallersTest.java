package dev.baton.jdbc;

import static org.assertj.core.api.Assertions.assertThat;

import dev.baton.Baton;
import dev.baton.BatonOptions;
import dev.baton.Lease;
import dev.baton.spi.Deadline;
import dev.baton.spi.Release;
import dev.baton.spi.Resource;
import java.nio.file.Path;
import java.time.Duration;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Callers that are interrupted while they use a database in a file: the JDK closes the file under such a thread. */
class InterruptedCallersTest {
    @TempDir
    private @Nullable Path directory;

    /** Calls of a store ignore interrupts: a caller that gives up needs an answer to undo its request. */
    @ParameterizedTest
    @ValueSource(
            strings = {
                "jdbc:h2:file:%s/locks;WRITE_DELAY=0",
                "jdbc:h2:%s/plain;WRITE_DELAY=0",
                "jdbc:sqlite:%s/locks.db"
            })
    @Timeout(value = 60, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
    void calls_ofAThreadThatIsInterrupted_areAnswered_andTheFileStaysOpen(String address) throws Exception {
        String uri = String.format(address, directory);
        Thread.currentThread().interrupt();
        JdbcClient client = new JdbcClient(new JdbcStoreProvider(), uri, "interrupted");
        for (int i = 0; i < 20; i++) {
            Thread.currentThread().interrupt();
            Release held = client.hold(Resource.lock("name " + i));
            assertThat(client.release(held)).isTrue();
            assertThat(Thread.currentThread().isInterrupted()).isTrue();
        }
        client.close();
        assertThat(Thread.interrupted()).isTrue();
        try (JdbcClient next = new JdbcClient(new JdbcStoreProvider(), uri, "next")) {
            assertThat(next.release(next.hold(Resource.lock("name 1")))).isTrue();
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"jdbc:h2:file:%s/locks;WRITE_DELAY=0", "jdbc:sqlite:%s/locks.db"})
    @Timeout(value = 60, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
    void callers_thatAreInterruptedAllTheTime_leaveAClientThatWorks(String address) throws Exception {
        AtomicInteger calls = new AtomicInteger();
        AtomicReference<@Nullable Exception> failure = new AtomicReference<>();
        Baton baton = Baton.connect(
                String.format(address, directory),
                BatonOptions.builder().connectTimeout(Duration.ofSeconds(20)).build());
        Deadline end = Deadline.in(TimeUnit.MILLISECONDS.toNanos(1_500));
        Thread worker = new Thread(() -> {
            while (end.leftNanos() > 0) {
                try (Lease lease =
                        baton.lock("name " + calls.incrementAndGet() % 50).acquire()) {
                    calls.addAndGet(lease.isHeld() ? 1 : 0);
                } catch (InterruptedException expected) {
                    // The next call begins without an interrupt.
                } catch (RuntimeException e) {
                    failure.compareAndSet(null, e);
                }
            }
        });
        worker.start();
        while (worker.isAlive()) {
            worker.join(3);
            worker.interrupt();
        }
        assertThat(failure.get()).isNull();
        assertThat(calls).hasPositiveValue();
        try (Lease lease =
                baton.lock("after").tryAcquire(Duration.ofSeconds(20)).orElseThrow()) {
            assertThat(lease.isHeld()).isTrue();
        }
        baton.close();
    }
}
