package dev.baton.jdbc;

import dev.baton.spi.Capabilities;
import dev.baton.spi.Deadline;

/** Hears of grants, where the database tells. Thread-safe. */
interface Listening {
    /** What the store can do now: grants are pushed as long as they are heard. */
    Capabilities capabilities();

    /**
     * Somebody is about to wait. The first time this takes a moment.
     *
     * @param deadline of the call; most of its time is left for what comes after this
     */
    void start(Deadline deadline);

    /** Whether it is worthwhile to tell this client of its grants: it may hear them. */
    boolean isWorthwhile();

    void close();

    /** Of a database that tells nothing. */
    static Listening none(Capabilities capabilities) {
        return new Listening() {
            @Override
            public Capabilities capabilities() {
                return capabilities;
            }

            @Override
            public void start(Deadline deadline) {
                // Waiting clients ask.
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
