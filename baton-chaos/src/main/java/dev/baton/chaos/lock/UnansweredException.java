package dev.baton.chaos.lock;

/** The store did not answer a lock under test. Callers are told of it, and expect it if there is a fault. */
public final class UnansweredException extends RuntimeException {
    private static final long serialVersionUID = 1L;

    /** Creates an exception. */
    public UnansweredException(Throwable cause) {
        super(cause.getMessage(), cause);
    }
}
