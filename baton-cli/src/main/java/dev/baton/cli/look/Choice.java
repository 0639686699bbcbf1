package dev.baton.cli.look;

import dev.baton.cli.console.CliException;
import dev.baton.cli.console.ExitCode;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** The locks to look at. */
final class Choice {
    private static final int LARGEST = 1_000_000;

    @Parameters(
            arity = "0..1",
            paramLabel = "PREFIX",
            defaultValue = "",
            description = "Only locks whose names start with it; a whole name is a prefix, too.")
    private String prefix = "";

    @Option(
            names = "--limit",
            paramLabel = "N",
            defaultValue = "100",
            description = "At most N locks (${DEFAULT-VALUE}).")
    private int limit;

    String prefix() {
        return prefix;
    }

    int limit() {
        if (limit < 1 || limit > LARGEST) {
            throw new CliException(ExitCode.USAGE, "--limit must be from 1 to " + LARGEST + ", but is " + limit, null);
        }
        return limit;
    }
}
