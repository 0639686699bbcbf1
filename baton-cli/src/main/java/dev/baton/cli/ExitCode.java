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

    /** Ctrl-C: what shells expect, and what Java answers by itself. */
    public static final int INTERRUPTED = 130;

    private ExitCode() {}
}
