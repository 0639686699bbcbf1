package dev.baton.bench;

import java.util.List;

/**
 * A library, or Baton, that does the work of a row. It knows nothing of rounds, times and counts.
 *
 * @param name its name in tables
 * @param words its name in sentences, with its library
 * @param home the place of its locks
 * @param opener opens one of its clients
 * @param setup the settings of its clients
 */
public record Contestant(String name, String words, Home home, Opener opener, Setup setup) {
    /** Opens clients. */
    @FunctionalInterface
    public interface Opener {
        /**
         * Opens a client with its own connections and threads, as one process would have.
         *
         * @param stage the addresses, the number of clients and the index of this client
         * @return a client that the caller must close
         * @throws Exception if it cannot connect
         */
        Client open(Stage stage) throws Exception;
    }

    /** A client, as one process would have. */
    public interface Client extends AutoCloseable {
        /**
         * Creates the worker of one thread. One thread at a time uses it.
         *
         * @param names the names of the locks to acquire in turn
         * @return a worker that is valid until the client is closed
         * @throws Exception if it cannot connect
         */
        Worker worker(List<String> names) throws Exception;

        @Override
        void close();
    }

    /** The work of one thread. */
    public interface Worker {
        /**
         * Prepares the work, in the working thread and before the measurement.
         *
         * @throws Exception if it cannot
         */
        default void enter() throws Exception {}

        /**
         * Does one operation, or several if one is too short to read the clock after each.
         *
         * @param section the code to run under the lock, once for each operation
         * @return the number of faults of operations
         * @throws Exception if an operation failed; the figures of the turn are then discarded
         */
        long work(Runnable section) throws Exception;

        /**
         * Returns whether one call of {@link #work} is one wait for a lock, so that the wait can be timed.
         *
         * @return false if a call is several waits, or none
         */
        default boolean isTimed() {
            return false;
        }

        /**
         * Returns the number of faults so far that did not end the turn.
         *
         * @return the number of faults
         */
        default long faults() {
            return 0;
        }

        /**
         * Cleans up, in the working thread and after the measurement.
         *
         * @throws Exception if it cannot
         */
        default void leave() throws Exception {}
    }
}
