package dev.baton.cli.run;

import picocli.CommandLine.Command;

/** {@code baton job}: the commands about one job. */
@Command(name = "job", description = "Runs a command at fire times, each time on one of all machines.")
public final class JobCommand {}
