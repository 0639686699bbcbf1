package dev.baton.redis;

/** Users of one pipeline at the same time, each on a thread of its own, and their results. */
public interface PipelineUsers {
    /** Sends a number of commands of its own at once, within a time. */
    void ask(int count, long time);

    /** Does the same on a virtual thread. */
    void askVirtually(int count, long time);

    /** Lets time pass. */
    void tick();

    /** Breaks the connection. */
    void cut();

    /** Closes the pipeline. */
    void close();

    /** Throws if one of the promises was broken. */
    void check();
}
