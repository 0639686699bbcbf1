package dev.baton.cli;

/** A command that passes another program's exit code on, and so says its own troubles in other numbers. */
public interface OwnExitCodes {
    /**
     * Translates.
     *
     * @param usual one of {@link ExitCode}, as other commands use it
     * @return what this command says instead
     */
    int translated(int usual);
}
