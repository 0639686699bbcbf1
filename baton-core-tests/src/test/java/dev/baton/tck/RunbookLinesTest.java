package dev.baton.tck;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.baton.Baton;
import dev.baton.Lease;
import dev.baton.StoreException;
import dev.baton.internal.client.SystemClock;
import dev.baton.internal.engine.Clock;
import dev.baton.tck.FaultyStore.Fault;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Executor;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Provokes lines of the log that docs/runbook.md explains and that no fault of a real server provokes. */
class RunbookLinesTest extends ClientContract {
    private final LogWatch log = new LogWatch();

    @Override
    protected StoreFixture newFixture() {
        return new MemoryFixture();
    }

    @AfterEach
    void stopWatching() {
        log.close();
    }

    private void untilLogged(String text) {
        until(text, () -> log.warnings().stream().anyMatch(line -> line.contains(text)));
    }

    @Test
    void listenerThatThrows() throws Exception {
        Baton client = connect(options()
                .listener(event -> {
                    throw new IllegalStateException("made to fail");
                })
                .build());
        client.lock("a").acquire().close();
        untilLogged("a callback failed");
    }

    @Test
    void storeThatThrowsWhatItMustNot() {
        FaultyStore broken = new FaultyStore();
        Baton client = connect(options().storeTimeout(Duration.ofMillis(500)).build(), broken);
        broken.script((call, number) -> {
            throw new IllegalStateException("made to fail");
        });
        assertThatThrownBy(() -> client.lock("a").acquire()).isInstanceOf(StoreException.class);
        untilLogged("a command failed with an unexpected exception");
        broken.script(FaultyStore.HEALTHY);
    }

    @Test
    void storeThatStaysSilent_afterACallerGaveUp() throws Exception {
        FaultyStore silent = new FaultyStore();
        Baton client = connect(
                options()
                        .leaseTime(Duration.ofMillis(300))
                        .storeTimeout(Duration.ofMillis(300))
                        .build(),
                silent);
        silent.script(FaultyStore.always(Fault.DROP_REPLY));
        assertThatThrownBy(() -> client.lock("a").acquire()).isInstanceOf(StoreException.class);
        untilLogged("gave up undoing an attempt for \"a\"");
        silent.script(FaultyStore.HEALTHY);
    }

    @Test
    void executorThatBlocks() throws Exception {
        CountDownLatch end = new CountDownLatch(1);
        try {
            ask(task -> {
                try {
                    end.await();
                } catch (InterruptedException closed) {
                    Thread.currentThread().interrupt();
                }
            });
            untilLogged("the callback executor blocks the thread that calls it");
        } finally {
            end.countDown();
        }
    }

    @Test
    void executorThatRefuses() throws Exception {
        ask(task -> {
            throw new IllegalStateException("made to fail");
        });
        untilLogged("the callback executor refused a task (java.lang.IllegalStateException: made to fail)");
    }

    @Test
    void executorThatRunsInItsCaller() throws Exception {
        ask(Runnable::run);
        untilLogged("the callback executor runs tasks in the thread that submits them");
    }

    private void ask(Executor executor) throws Exception {
        Baton client = connect(options().callbackExecutor(executor).build());
        CompletableFuture<Lease> lease = client.lock("a").acquireAsync();
        until("granted", lease::isDone);
        lease.get().close();
    }

    @Test
    void watchdogThatFails() throws Exception {
        failInTickOf("Engine", "the watchdog met a defect and goes on");
    }

    @Test
    void watchdogThatFails_atOneLock() throws Exception {
        failInTickOf("Holding", "the watchdog met a defect at \"a\" and goes on");
    }

    private void failInTickOf(String type, String line) throws Exception {
        FailingClock clock = new FailingClock(type);
        // Its heartbeat is due every second.
        Baton client = connect(options().leaseTime(Duration.ofSeconds(3)).build(), new FaultyStore(), clock);
        try (Lease lease = client.lock("a").acquire()) {
            clock.failing = true;
            untilLogged(line);
            clock.failing = false;
            assertThat(lease.isHeld()).isTrue();
        }
    }

    /** Throws when the watchdog's tick asks for the time, in the method of one class. */
    private static final class FailingClock implements Clock {
        private final String type;
        private volatile boolean failing;

        FailingClock(String type) {
            this.type = type;
        }

        @Override
        public long nanos() {
            failIfTicking();
            return SystemClock.INSTANCE.nanos();
        }

        private void failIfTicking() {
            if (failing && isTicking()) {
                throw new IllegalStateException("made to fail");
            }
        }

        private boolean isTicking() {
            return StackWalker.getInstance()
                    .walk(frames -> frames.filter(frame -> frame.getMethodName().equals("tick"))
                            .findFirst()
                            .filter(frame -> frame.getClassName().endsWith('.' + type))
                            .isPresent());
        }

        @Override
        public long wallMillis() {
            failIfTicking();
            return SystemClock.INSTANCE.wallMillis();
        }
    }
}
