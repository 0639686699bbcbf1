package dev.baton.cli.console;

import org.jspecify.annotations.Nullable;

/** Ends the command with one line on standard error and an exit code. */
public final class CliException extends RuntimeException {
    private static final long serialVersionUID = 1L;

    private final int exitCode;

    /**
     * Makes an exception.
     *
     * @param exitCode one of {@link ExitCode}
     * @param message one line: the problem and how to fix it
     * @param cause for {@code --debug}, or null
     */
    public CliException(int exitCode, String message, @Nullable Throwable cause) {
        super(message, cause);
        this.exitCode = exitCode;
    }

    /**
     * Returns the exit code.
     *
     * @return one of {@link ExitCode}
     */
    public int exitCode() {
        return exitCode;
    }
}
