package dev.baton.bench;

import dev.baton.bench.jvm.Stopwatch;
import java.util.function.BooleanSupplier;
import org.HdrHistogram.Histogram;

/** The code under the lock in one turn. Each JVM of a crew has its own section; all sections share a {@link Board}. */
interface Section extends Runnable {
    /** Does nothing; also for trials in which each thread has locks of its own. */
    Section NONE = () -> {};

    /**
     * Waits between two operations, without the lock.
     *
     * @param running returns false when the turn ends
     */
    default void pause(BooleanSupplier running) {}

    /**
     * Checks that the lock excluded all others.
     *
     * @param operations the number of times the section must have run, in all JVMs together
     */
    default void check(long operations) {}

    /** Returns the nanoseconds from each release to the next holder's acquisition; empty if not measured. */
    default Histogram handOvers() {
        return Waits.none();
    }

    /** Counts with no protection but the lock: if two threads are inside at once, counts are lost. */
    class Counting implements Section {
        private final Board board;
        private final long holdNanos;

        Counting(Board board) {
            this(board, 0);
        }

        /** Holds the lock for some time. */
        Counting(Board board, long holdNanos) {
            this.board = board;
            this.holdNanos = holdNanos;
        }

        @Override
        public void run() {
            int before = board.counted();
            if (holdNanos > 0) {
                Stopwatch.rest(holdNanos);
            }
            board.counted(before + 1);
        }

        @Override
        public void check(long operations) {
            int count = board.counted();
            // The counter has 32 bits.
            if (count != (int) operations) {
                throw new IllegalStateException(
                        "not a lock: " + operations + " times inside, but " + count + " were counted");
            }
        }
    }

    /** Measures the time between holders that are different threads. Holds long enough for the other to queue. */
    class HandOver extends Counting {
        private static final long HOLD_NANOS = 1_000_000;

        private final Board board;
        private final Histogram handOvers = Waits.none();

        HandOver(Board board) {
            super(board);
            this.board = board;
        }

        /** Returns a number that identifies the thread on this machine. */
        private static long self() {
            return ProcessHandle.current().pid() << Integer.SIZE
                    | Thread.currentThread().getId();
        }

        @Override
        public void run() {
            long acquired = Stopwatch.machineNanos();
            long self = self();
            long last = board.holder();
            if (last != 0 && last != self) {
                handOvers.recordValue(Math.max(0, acquired - board.released()));
            }
            board.holder(self);
            super.run();
            Stopwatch.rest(HOLD_NANOS);
            board.released(Stopwatch.machineNanos());
        }

        /** Returns whether the calling thread was the last holder. */
        boolean wasLast() {
            return board.holder() == self();
        }

        @Override
        public Histogram handOvers() {
            return handOvers;
        }
    }

    /**
     * Makes each thread wait until another thread has had the lock. A peer that polls would otherwise find the lock
     * free only between a release and the same client's next acquisition, and only this moment would be timed.
     */
    final class BackAndForth extends HandOver {
        /** Much shorter than a hold, so that the next request comes well before the release. */
        private static final long STEP_NANOS = 50_000;

        BackAndForth(Board board) {
            super(board);
        }

        @Override
        public void pause(BooleanSupplier running) {
            while (running.getAsBoolean() && wasLast()) {
                Stopwatch.rest(STEP_NANOS);
            }
        }
    }
}
