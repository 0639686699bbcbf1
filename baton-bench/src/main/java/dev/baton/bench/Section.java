package dev.baton.bench;

import java.util.function.BooleanSupplier;
import org.HdrHistogram.Histogram;

/** What is done under the lock, in one turn; each JVM of a crew has one, and all of a turn share a {@link Board}. */
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
     * @param operations how often the section must have run, in all JVMs together
     */
    default void check(long operations) {}

    /** The times, in nanoseconds, from one holder's release to the next holder's acquisition; empty if not measured. */
    default Histogram handOvers() {
        return Waits.none();
    }

    /** Counts without any protection but the lock: where two are in at once, counts get lost. */
    class Counting implements Section {
        private final Board board;
        private final long holdNanos;

        Counting(Board board) {
            this(board, 0);
        }

        /** Keeps the lock for a while. */
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
            // What is counted has 32 bits.
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

        /** Different for all threads of this machine. */
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

        /** Whether the calling thread was the last to have the lock. */
        boolean wasLast() {
            return board.holder() == self();
        }

        @Override
        public Histogram handOvers() {
            return handOvers;
        }
    }

    /**
     * Nobody asks again before somebody else had the lock. Who polls would else find it free only by luck, in the moment
     * between a release and the next acquisition of the same client: and only this moment would be measured.
     */
    final class BackAndForth extends HandOver {
        /** Much shorter than a hold, so that the next asks well before the release. */
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
