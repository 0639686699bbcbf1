package dev.baton.internal.client;

/** The place where a lease was asked for. It is rarely read, so its text is made only when it is. */
final class Trace extends Throwable {
    private static final long serialVersionUID = 1L;
    private final String thread;

    Trace(String thread) {
        super(null, null, false, true);
        this.thread = thread;
    }

    @Override
    public String getMessage() {
        return "acquired by thread " + thread;
    }

    /** Returns the same text as a JDK exception, because this type's name means nothing to users. */
    @Override
    public String toString() {
        return getMessage();
    }
}
