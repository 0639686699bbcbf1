package dev.baton.bench;

import java.util.Arrays;
import java.util.function.BooleanSupplier;

/** What is done under the lock, in one slice. */
interface Section extends Runnable {
    /** Nothing, also where each thread has locks of its own. */
    Section NONE = () -> {};

    /**
     * Waits between two operations, without the lock.
     *
     * @param running whether there is anything to wait for
     */
    default void pause(BooleanSupplier running) {}

    /**
     * Makes sure that the lock was one.
     *
     * @param operations how often the section must have run
     */
    default void check(long operations) {}

    /** The median time from one holder's release to the next holder's acquisition; NaN if it was not measured. */
    default double handOverNanos() {
        return Double.NaN;
    }

    /** Counts without any protection but the lock: where two are in at once, counts get lost. */
    class Counting implements Section {
        private int count;

        @Override
        public void run() {
            count++;
        }

        @Override
        public void check(long operations) {
            if (count != operations) {
                throw new IllegalStateException(
                        "not a lock: " + operations + " times inside, but " + count + " were counted");
            }
        }
    }

    /** Measures the time between holders that are different threads. Holds long enough for the other to queue. */
    class HandOver extends Counting {
        private static final long HOLD_NANOS = 1_000_000;
        private static final int MOST = 1 << 20;

        private final Stopwatch watch = Stopwatch.started();
        private final long[] nanos = new long[MOST];
        private int measured;
        private volatile long lastHolder = Long.MIN_VALUE;
        private long released;

        @Override
        public void run() {
            long acquired = watch.nanos();
            long holder = Thread.currentThread().getId();
            if (lastHolder != Long.MIN_VALUE && lastHolder != holder && measured < MOST) {
                nanos[measured++] = acquired - released;
            }
            lastHolder = holder;
            super.run();
            Stopwatch.rest(HOLD_NANOS);
            released = watch.nanos();
        }

        /** Whether the calling thread was the last to have the lock. */
        boolean wasLast() {
            return lastHolder == Thread.currentThread().getId();
        }

        @Override
        public double handOverNanos() {
            return Arrays.stream(nanos, 0, measured)
                    .sorted()
                    .asDoubleStream()
                    .skip(measured / 2)
                    .findFirst()
                    .orElse(Double.NaN);
        }
    }

    /**
     * Nobody asks again before somebody else had the lock. Who polls would else find it free only by luck, in the moment
     * between a release and the next acquisition of the same client: and only this moment would be measured.
     */
    final class BackAndForth extends HandOver {
        /** Much shorter than a hold, so that the next asks well before the release. */
        private static final long STEP_NANOS = 50_000;

        @Override
        public void pause(BooleanSupplier running) {
            while (running.getAsBoolean() && wasLast()) {
                Stopwatch.rest(STEP_NANOS);
            }
        }
    }
}
