package dev.baton.bench;

import java.util.List;

/**
 * One way to do the work of a row. Knows nothing of rounds, times and counts.
 *
 * @param name as the tables show it
 * @param words what it is, to those who do not know the name
 * @param home where it keeps its locks
 * @param opener makes one of its clients
 * @param setup how its clients are configured
 */
public record Contestant(String name, String words, Home home, Opener opener, Setup setup) {
    /** Where locks are kept, and so whether the figures of the server say something about them. */
    public enum Home {
        /** In this JVM. */
        JVM("this JVM"),
        /** On the Redis server that is measured. */
        SERVER("Redis"),
        /** In the database that is measured; it does not count, and nor do those below. */
        DATABASE("PostgreSQL"),
        /** In the ensemble that is measured. */
        ZOOKEEPER("ZooKeeper"),
        /** In the cluster that is measured. */
        ETCD("etcd"),
        /** On the server if one is measured, else in this JVM. */
        BATON("Redis or this JVM");

        private final String words;

        Home(String words) {
            this.words = words;
        }

        String words() {
            return words;
        }

        /** Whether there is no need to name or start anything. */
        boolean isEverywhere() {
            return this == JVM || this == BATON;
        }
    }

    /** Makes clients. */
    @FunctionalInterface
    public interface Opener {
        /**
         * Makes what one process would have: its own connections, its own threads.
         *
         * @param stage where to connect to, and which of how many clients this is
         * @return a client to close in the end
         * @throws Exception if it cannot connect
         */
        Client open(Stage stage) throws Exception;
    }

    /** What one process would have. */
    public interface Client extends AutoCloseable {
        /**
         * Makes what one thread of the process works with. It is used by one thread at a time.
         *
         * @param names of the locks to take in turn
         * @return a worker, to be used until the client is closed
         * @throws Exception if it needs a connection and does not get it
         */
        Worker worker(List<String> names) throws Exception;

        @Override
        void close();
    }

    /** What one thread does. */
    public interface Worker {
        /**
         * Prepares, in the thread that works and before anything is measured.
         *
         * @throws Exception if it cannot
         */
        default void enter() throws Exception {}

        /**
         * Does one operation, or a few if one is too short to look at the clock after it.
         *
         * @param section what to do under the lock, once for each operation
         * @return how many operations that were
         * @throws Exception if one failed: then nothing that was measured counts
         */
        long work(Runnable section) throws Exception;

        /**
         * Whether one call of {@link #work} is one wait for a lock, so that its length says something.
         *
         * @return false if it is many, or none
         */
        default boolean isTimed() {
            return false;
        }

        /**
         * How often something went wrong so far that does not end the turn.
         *
         * @return the number
         */
        default long faults() {
            return 0;
        }

        /**
         * Cleans up, in the thread that worked and when all has been measured.
         *
         * @throws Exception if it cannot
         */
        default void leave() throws Exception {}
    }
}
