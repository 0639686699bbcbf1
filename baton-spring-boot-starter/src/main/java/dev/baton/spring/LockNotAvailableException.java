package dev.baton.spring;

import java.time.Duration;
import java.util.List;

/**
 * A caller of a {@link Locked} method did not get the lock in time, and the method did not run.
 *
 * @since 0.1
 */
public final class LockNotAvailableException extends RuntimeException {
    private static final long serialVersionUID = 1L;

    /** The names. */
    private final List<String> names;

    /**
     * Creates the exception.
     *
     * @param names of the locks
     * @param waited how long the caller was ready to wait
     * @param method that did not run, for users
     */
    public LockNotAvailableException(List<String> names, Duration waited, String method) {
        super((names.size() == 1 ? "\"" + names.get(0) + "\" is" : "at least one of " + names + " is")
                + " held by another, and did not come free within " + waited.toMillis() + " ms: " + method
                + " did not run (baton ls shows the holder)");
        this.names = List.copyOf(names);
    }

    /**
     * Returns the names of the locks.
     *
     * @return at least one
     */
    public List<String> names() {
        return names;
    }
}
