package dev.baton.jdbc;

import dev.baton.spi.Capabilities;
import dev.baton.spi.Deadline;

/** Receives grants, if the database pushes them. Thread-safe. */
interface Listening {
    /** Returns the store's present capabilities: grants are pushed as long as this client receives them. */
    Capabilities capabilities();

    /**
     * Starts listening, because a caller is about to wait. The first call takes a moment.
     *
     * @param deadline of the call; most of its time is left for the work after this
     */
    void start(Deadline deadline);

    /** Returns whether other clients should push this client's grants to it: it may receive them. */
    boolean isWorthwhile();

    void close();

    /** Returns the listening of a database that pushes nothing. */
    static Listening none(Capabilities capabilities) {
        return new Listening() {
            @Override
            public Capabilities capabilities() {
                return capabilities;
            }

            @Override
            public void start(Deadline deadline) {
                // Waiting clients poll.
            }

            @Override
            public boolean isWorthwhile() {
                return false;
            }

            @Override
            public void close() {
                // Nothing was opened.
            }
        };
    }
}
