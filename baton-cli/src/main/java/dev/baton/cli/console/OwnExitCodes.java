package dev.baton.cli.console;

/** A command that passes on another program's exit code, so it reports its own failures with other numbers. */
public interface OwnExitCodes {
    /**
     * Translates an exit code.
     *
     * @param usual one of {@link ExitCode}, as other commands use it
     * @return the code that this command uses instead
     */
    int translated(int usual);
}
