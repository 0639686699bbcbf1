package dev.baton.bench;

import java.time.Duration;

/** The clients of a crew that share a JVM. One thread at a time calls the methods, in this order. */
interface Team extends AutoCloseable {
    /** Opens teams, in this JVM or each in its own JVM. */
    @FunctionalInterface
    interface Opener {
        /**
         * Opens a team.
         *
         * @param trial the trial
         * @param contestant the contestant that the clients belong to
         * @param stage the addresses that they connect to
         * @param from the index of its first client in the trial
         * @param to the index after its last client
         * @return a team that the caller must close
         * @throws Exception if a client cannot connect
         */
        Team open(Trial trial, Contestant contestant, Stage stage, int from, int to) throws Exception;
    }

    /**
     * Starts the threads of a turn. When it returns, all of them are ready to begin.
     *
     * @param board the board of the turn
     * @throws Exception if a thread failed
     */
    void ready(Board board) throws Exception;

    /**
     * Lets the threads work until the board stops the turn. If a thread fails, the turn ends for all teams.
     *
     * @param atMost the longest time until the turn stops
     * @return the figures of this team
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
