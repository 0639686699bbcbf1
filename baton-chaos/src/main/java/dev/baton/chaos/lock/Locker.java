package dev.baton.chaos.lock;

import java.time.Duration;
import java.util.SplittableRandom;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/** Locks under test, as one client JVM has them. Thread-safe. */
public interface Locker extends AutoCloseable {
    /** A lock that a caller has. For the caller's thread. */
    interface Taken {
        /** Returns the fencing token of a name; -1 if the lock has none. */
        long token(String name);

        /** Returns whether the caller may believe that it still has the lock. */
        boolean isHeld();

        /**
         * Returns how often a caller that stays for long looks whether it still has the lock. Otherwise it looks when it
         * begins and ends, so a belief that ends in between counts from its beginning alone.
         */
        default Duration looksEvery() {
            return Duration.ofDays(1);
        }

        /** Tells how the caller asked. */
        String way();

        /** Calls this when the lock is lost. */
        void onLost(Consumer<String> told);

        /**
         * Returns the note of a name, if these locks have notes.
         *
         * @return the note, or an empty text if there is none; null if that is not known
         */
        default @Nullable String note() {
            return null;
        }

        /**
         * Writes the note of a name, if these locks have notes.
         *
         * @return whether it is certain that it was written
         */
        default boolean writeNote(String note) {
            return false;
        }

        /**
         * Makes a reader of a writer, if these locks can.
         *
         * @return whether the caller reads from now on
         */
        default boolean downgrade() {
            return false;
        }
    }

    /** What a caller does while it has the lock. */
    interface Section {
        /** Runs with the lock; the lock is released as soon as this returns. */
        void run(Taken taken) throws InterruptedException;
    }

    /** How a use of a lock ended. */
    enum Outcome {
        /** The lock was not granted in time. */
        REFUSED,
        /** The section ran, and the lock was released. */
        RELEASED,
        /** The section ran, and the lock was over before the release. */
        LOST,
        /** The section ran, and the store did not answer the release. */
        UNKNOWN
    }

    /**
     * Asks for a lock, runs the section if it is granted, and releases it.
     *
     * @param wanted what is asked for
     * @param wait how long to wait at most
     * @param random chooses among the ways to ask
     * @param section runs at most once
     * @return how it ended
     * @throws Exception whatever the lock throws at its users
     */
    Outcome use(Wanted wanted, Duration wait, SplittableRandom random, Section section) throws Exception;

    /**
     * Asks in the plainest way; who wants to write, reads before, and asks to write while it reads. Returns whether the lock
     * was granted in time; it is released at once.
     */
    boolean tryOnce(Wanted wanted, Duration wait) throws Exception;

    /**
     * Holds up all that the locks run for their callers on other threads, until {@link #letCallbacksGoOn}. Locks that run
     * nothing there do nothing.
     *
     * @param count is called for each callback that is held up
     */
    default void holdCallbacks(Runnable count) {}

    /** Lets callbacks go on. */
    default void letCallbacksGoOn() {}

    @Override
    void close();
}
