package dev.baton.jdbc;

import static org.assertj.core.api.Assertions.assertThat;

import dev.baton.spi.Deadline;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;

/** How a test waits for its other threads. The limit is reached only if they are stuck. */
final class Waiting {
    static final long LIMIT_SECONDS = 20;

    private static final long PAUSE_NANOS = 200_000;

    private Waiting() {}

    static void until(String what, BooleanSupplier condition) {
        Deadline limit = Deadline.in(TimeUnit.SECONDS.toNanos(LIMIT_SECONDS));
        while (!condition.getAsBoolean()) {
            assertThat(limit.leftNanos()).as(what).isPositive();
            LockSupport.parkNanos(PAUSE_NANOS);
        }
    }

    /** Waits on a thread that may not throw {@link InterruptedException}. */
    static void await(CountDownLatch latch) {
        try {
            assertThat(latch.await(LIMIT_SECONDS, TimeUnit.SECONDS)).isTrue();
        } catch (InterruptedException e) {
            throw new AssertionError(e);
        }
    }
}
