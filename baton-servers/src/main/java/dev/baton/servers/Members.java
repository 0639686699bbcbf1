package dev.baton.servers;

/**
 * Servers that elect a leader, started on this machine. Members are numbered from 0. For one thread at a time, except
 * {@link #leader}.
 */
public interface Members extends AutoCloseable {
    /** Returns the address of all members. */
    String uri();

    /** Returns the number of members, running or not. */
    int size();

    /** Returns the leading member, and waits until a member that answers knows it. */
    int leader();

    /** Sends SIGSTOP: the member's connections stay, and it does not answer. */
    void pause(int member);

    /** Sends SIGCONT. */
    void resume(int member);

    /** Sends SIGKILL, and waits until the process has ended. The data that the member has written stays on the disk. */
    void kill(int member);

    /** Kills a member if it runs, starts it with its data on the same ports, and waits until it answers. */
    void restart(int member);

    /** Kills all members, and deletes their directories. */
    @Override
    void close();
}
