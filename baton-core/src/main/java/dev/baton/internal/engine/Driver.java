package dev.baton.internal.engine;

/** What the engine has done in the world: threads in production, the simulator's event queue in tests. */
public interface Driver {
    /** Code of users, by what waits for it: none of a kind may keep code of another kind waiting. */
    enum Kind {
        /** Tells a holder that its lease is lost. */
        LOSS,
        /** Completes a future. */
        COMPLETION,
        /** Tells the listener of an event; may be dropped. */
        EVENT,
        /** Writes to the log; may be dropped. */
        LOG
    }

    /**
     * Performs a command and reports to it, on a thread that may block. Never fails: a command that cannot be
     * performed is told so.
     */
    void send(Command command);

    /** Runs {@link Engine#tick} at this monotonic time, unless an earlier wake-up is due already. */
    void wakeAt(long nanos);

    /** Has code of users run on a thread that does no I/O of ours. Returns at once, whatever that code does. */
    void call(Kind kind, Runnable userCode);
}
