package dev.baton.redis;

/** Those who use a pipeline at the same time, each on a thread of its own, and what they see. */
public interface PipelineUsers {
    /** Asks for something of its own, so many times at once, and has so much time. */
    void ask(int count, long time);

    /** The same on a virtual thread. */
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
