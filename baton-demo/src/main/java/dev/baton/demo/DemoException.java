package dev.baton.demo;

import org.jspecify.annotations.Nullable;

/** The demo cannot go on. */
public final class DemoException extends RuntimeException {
    private static final long serialVersionUID = 1;

    private final Kind kind;

    DemoException(Kind kind, String message, @Nullable Throwable cause) {
        super(message, cause);
        this.kind = kind;
    }

    /**
     * Returns what failed.
     *
     * @return the kind of failure
     */
    public Kind kind() {
        return kind;
    }

    /** What failed. */
    public enum Kind {
        /** The demo itself: a mistake in its code. */
        INTERNAL,
        /** The store of Baton's lock. */
        STORE,
        /** This machine: no place for files, or no processes. */
        ENVIRONMENT,
        /** The user pressed Ctrl-C. */
        INTERRUPTED
    }
}
