package dev.baton.internal.engine;

/** Does the engine's work outside the engine: threads in production, the simulator's event queue in tests. */
public interface Driver {
    /** Kinds of user code. Code of one kind must never delay code of another kind. */
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
     * Performs a command on a thread that may block, and reports the result to the engine. Never fails: the engine is
     * told of a command that cannot be performed.
     */
    void send(Command command);

    /** Runs the engine's tick at this monotonic time, unless an earlier wake-up is planned already. */
    void wakeAt(long nanos);

    /** Runs user code on a thread that does no I/O for the client. Returns at once, even if that code blocks. */
    void call(Kind kind, Runnable userCode);
}
