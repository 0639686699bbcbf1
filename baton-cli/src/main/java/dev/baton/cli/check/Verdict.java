package dev.baton.cli.check;

import dev.baton.StoreException;
import dev.baton.cli.ExitCode;
import java.util.Locale;

/** What a check comes to. */
enum Verdict {
    /** Nothing to change. */
    FIT(ExitCode.OK, "Fit for locks."),
    /** Locks work, but something should be changed. */
    CHANGE(ExitCode.CHECK_CHANGE, "Locks work, but something should be changed."),
    /** Must not be used as it is. */
    UNFIT(ExitCode.CHECK_UNFIT, "Not fit for locks as it is."),
    /** Nobody answers. */
    UNREACHABLE(ExitCode.CHECK_UNREACHABLE, "Not reached."),
    /** This user may not. */
    DENIED(ExitCode.CHECK_DENIED, "This user is refused."),
    /** Something else went wrong. */
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

    /** For people. */
    String words() {
        return words;
    }

    /** For programs. */
    String key() {
        return name().toLowerCase(Locale.ROOT);
    }
}
