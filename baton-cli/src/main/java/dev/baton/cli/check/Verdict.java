package dev.baton.cli.check;

import dev.baton.StoreException;
import dev.baton.cli.console.ExitCode;
import java.util.Locale;

/** The conclusion of a check. */
enum Verdict {
    /** There is nothing to change. */
    FIT(ExitCode.OK, "Fit for locks."),
    /** Locks work, but something should be changed. */
    CHANGE(ExitCode.CHECK_CHANGE, "Locks work, but something should be changed."),
    /** The store must not be used as it is. */
    UNFIT(ExitCode.CHECK_UNFIT, "Not fit for locks as it is."),
    /** The store does not answer. */
    UNREACHABLE(ExitCode.CHECK_UNREACHABLE, "Not reached."),
    /** The store refuses this user. */
    DENIED(ExitCode.CHECK_DENIED, "This user is refused."),
    /** Another failure. */
    FAILED(ExitCode.STORE, "The check failed.");

    private final int exitCode;
    private final String words;

    Verdict(int exitCode, String words) {
        this.exitCode = exitCode;
        this.words = words;
    }

    static Verdict of(StoreException refused) {
        return switch (refused.reason()) {
            case UNREACHABLE -> UNREACHABLE;
            case DENIED -> DENIED;
            case UNFIT -> UNFIT;
            case OTHER -> FAILED;
        };
    }

    int exitCode() {
        return exitCode;
    }

    /** Returns the text for users. */
    String words() {
        return words;
    }

    /** Returns the key for programs. */
    String key() {
        return name().toLowerCase(Locale.ROOT);
    }
}
