package dev.baton.cli.console;

/** The exit codes of the process. Scripts depend on these numbers: add new ones, but never change one. */
public final class ExitCode {
    /** Success. */
    public static final int OK = 0;
    /** A bug of the program itself. */
    public static final int INTERNAL = 1;
    /** Wrong arguments. */
    public static final int USAGE = 2;
    /** Demo: Baton did not keep its promise. */
    public static final int BATON_FAILED = 3;
    /** Demo: a broken lock did not show its fault, or Baton had no stale write to refuse. */
    public static final int FAULT_NOT_SHOWN = 4;
    /** The store is unreachable, or must not be used as it is. */
    public static final int STORE = 5;
    /** This machine does not let the command run: there is no place for its files, or no process can be started. */
    public static final int ENVIRONMENT = 6;

    /** Release: the lock was not held. */
    public static final int NOT_HELD = 7;
    /** Release: not confirmed, or another client got the lock meanwhile; nothing was done. */
    public static final int NOT_CONFIRMED = 8;
    /** Check: the store can be used, but something should be changed. */
    public static final int CHECK_CHANGE = 10;
    /** Check: the store must not be used as it is. */
    public static final int CHECK_UNFIT = 11;
    /** Check: the store does not answer, or not in time. */
    public static final int CHECK_UNREACHABLE = 12;
    /** Check: the store refuses this user. */
    public static final int CHECK_DENIED = 13;

    // {@code baton run} passes the exit code of its command on. Its own codes are the ones that wrappers such as
    // timeout and env use.

    /** Job: the fire time is over; nothing was started. */
    public static final int RUN_OVER = 121;
    /** Run: the store is unreachable, or must not be used as it is; nothing was started. */
    public static final int RUN_STORE = 122;
    /** Run: the lock was lost, so the command was ended. */
    public static final int RUN_LOST = 123;
    /** Run: another client held the lock for the whole time that the user wanted to wait; nothing was started. */
    public static final int RUN_BUSY = 124;
    /** Run: wrong arguments, or a bug of Baton itself. */
    public static final int RUN_ITSELF = 125;
    /** Run: the command exists, but cannot be started. */
    public static final int RUN_NOT_EXECUTABLE = 126;
    /** Run: the command does not exist. */
    public static final int RUN_NOT_FOUND = 127;

    /** Ended by signal N: 128 + N, as shells report it. */
    public static final int SIGNALLED = 128;

    /** Ctrl-C: the code that shells expect and that Java returns without our help. */
    public static final int INTERRUPTED = 130;

    private ExitCode() {}
}
