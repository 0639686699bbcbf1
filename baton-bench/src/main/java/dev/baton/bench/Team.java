package dev.baton.bench;

import java.time.Duration;

/** Those clients of a crew that live in one JVM. Its methods are called by one thread at a time, and in this order. */
interface Team extends AutoCloseable {
    /** Makes teams: in this JVM, or each in one of its own. */
    @FunctionalInterface
    interface Opener {
        /**
         * Makes a team.
         *
         * @param trial what it takes part in
         * @param contestant whose clients they are
         * @param stage where they connect to
         * @param from the first of the trial's clients that is in it
         * @param to the first that is not
         * @return a team to close in the end
         * @throws Exception if a client cannot connect
         */
        Team open(Trial trial, Contestant contestant, Stage stage, int from, int to) throws Exception;
    }

    /**
     * Starts the threads of a turn. On return all of them are ready to begin.
     *
     * @param board of the turn
     * @throws Exception if a thread failed
     */
    void ready(Board board) throws Exception;

    /**
     * Lets the threads work until the board says that they are to stop. If one fails, the turn ends for all teams.
     *
     * @param atMost when that will be, at the latest
     * @return what it saw
     * @throws Exception if a thread failed
     */
    Part run(Duration atMost) throws Exception;

    /**
     * Ends the threads of the turn.
     *
     * @throws Exception if a thread failed
     */
    void leave() throws Exception;

    @Override
    void close();
}
