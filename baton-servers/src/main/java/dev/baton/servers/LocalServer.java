package dev.baton.servers;

import java.nio.file.Path;

/** A server that was started on this machine, which can be paused, killed and restarted. For one thread at a time. */
public interface LocalServer extends AutoCloseable {
    /** Returns the address for clients. */
    String uri();

    /** Returns the loopback port. It is the same after a restart. */
    int port();

    /** Returns the directory of its data, which it keeps until it is closed. */
    Path data();

    /** Sends SIGSTOP: connections stay, and the server does not answer. */
    void pause();

    /** Sends SIGCONT. */
    void resume();

    /** Sends SIGKILL, and waits until the server has ended. What it has not written is lost. */
    void kill();

    /** Kills the server if it runs, starts it with its data on the same port, and waits until it answers. */
    void restart();

    /** Kills the server, and deletes its directory. */
    @Override
    void close();
}
