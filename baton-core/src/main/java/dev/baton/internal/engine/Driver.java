package dev.baton.internal.engine;

/** What the engine has done in the world: threads in production, the simulator's event queue in tests. */
public interface Driver {
    /**
     * Performs a command and reports to it, on a thread that may block. Never fails: a command that cannot be
     * performed is told so.
     */
    void send(Command command);

    /** Runs {@link Engine#tick} at this monotonic time, unless an earlier wake-up is due already. */
    void wakeAt(long nanos);

    /** Runs user code, on a thread that does no I/O of ours. */
    void callback(Runnable userCode);
}
