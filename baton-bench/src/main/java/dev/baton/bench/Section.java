package dev.baton.bench;

import java.util.Arrays;

/** What is done under the lock, in one slice. */
interface Section extends Runnable {
    /** Nothing, also where each thread has locks of its own. */
    Section NONE = () -> {};

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
    final class HandOver extends Counting {
        private static final long HOLD_NANOS = 1_000_000;
        private static final int MOST = 1 << 20;

        private final Stopwatch watch = Stopwatch.started();
        private final long[] nanos = new long[MOST];
        private int measured;
        private long lastHolder = Long.MIN_VALUE;
        private long released;

        @Override
        public void run() {
            long acquired = watch.nanos();
            long holder = Thread.currentThread().getId();
            if (lastHolder != Long.MIN_VALUE && lastHolder != holder && measured < MOST) {
                nanos[measured++] = acquired - released;
            }
            super.run();
            Stopwatch.rest(HOLD_NANOS);
            lastHolder = holder;
            released = watch.nanos();
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
}
