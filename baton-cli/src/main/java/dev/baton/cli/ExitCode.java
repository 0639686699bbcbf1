package dev.baton.cli;

/** What the process answers to its caller. Scripts depend on these numbers: add, but do not change. */
public final class ExitCode {
    /** All is well. */
    public static final int OK = 0;
    /** A fault of the program itself. */
    public static final int INTERNAL = 1;
    /** The arguments make no sense. */
    public static final int USAGE = 2;
    /** Demo: Baton did not keep its promise. */
    public static final int BATON_FAILED = 3;
    /** Demo: a broken lock did not show its fault, or Baton had no stale write to refuse. */
    public static final int FAULT_NOT_SHOWN = 4;
    /** The store cannot be reached, or must not be used as it is. */
    public static final int STORE = 5;
    /** This machine does not let the command run: no place for its files, or no processes. */
    public static final int ENVIRONMENT = 6;

    /** Release: nobody held the lock. */
    public static final int NOT_HELD = 7;
    /** Release: not confirmed, or somebody else got the lock meanwhile; nothing was done. */
    public static final int NOT_CONFIRMED = 8;
    /** Check: the store can be used, but something should be changed. */
    public static final int CHECK_CHANGE = 10;
    /** Check: the store must not be used as it is. */
    public static final int CHECK_UNFIT = 11;
    /** Check: nobody answers, or not in time. */
    public static final int CHECK_UNREACHABLE = 12;
    /** Check: the store refuses this user. */
    public static final int CHECK_DENIED = 13;

    // {@code baton run} passes its command's code on, so its own are where wrappers such as timeout and env have
    // theirs.

    /** Run: the store cannot be reached, or must not be used as it is; nothing was started. */
    public static final int RUN_STORE = 122;
    /** Run: the lock was lost, and so the command was ended. */
    public static final int RUN_LOST = 123;
    /** Run: somebody else had the lock for as long as this one wanted to wait; nothing was started. */
    public static final int RUN_BUSY = 124;
    /** Run: wrong arguments, or a fault of Baton's own. */
    public static final int RUN_ITSELF = 125;
    /** Run: the command is there, but cannot be started. */
    public static final int RUN_NOT_EXECUTABLE = 126;
    /** Run: there is no such command. */
    public static final int RUN_NOT_FOUND = 127;

    /** Ended by signal N: 128 + N, as in shells. */
    public static final int SIGNALLED = 128;

    /** Ctrl-C: what shells expect, and what Java answers by itself. */
    public static final int INTERRUPTED = 130;

    private ExitCode() {}
}
