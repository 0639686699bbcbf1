package dev.baton.internal.client;

/** Where a lease was asked for. Nearly always for nobody: the text is made when somebody reads it. */
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

    /** As if it were one of the JDK's: its type says nothing to people. */
    @Override
    public String toString() {
        return getMessage();
    }
}
