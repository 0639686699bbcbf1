package dev.baton.cli;

import dev.baton.cli.console.Terminal;
import java.io.File;
import java.io.IOException;
import java.util.List;
import java.util.stream.Stream;
import picocli.CommandLine;
import picocli.CommandLine.Model.CommandSpec;
import picocli.codegen.docgen.manpage.ManPageGenerator;

/** Writes the manual of all commands as AsciiDoc; the profile {@code manual} converts it into pages for {@code man}. */
final class Manual {
    private Manual() {}

    /**
     * Writes the manual.
     *
     * @param args the directory
     */
    public static void main(String[] args) throws IOException {
        write(new File(args[0]));
    }

    static void write(File directory) throws IOException {
        CommandLine commands = Main.commands(Terminal.standardOutput(), Terminal.standardError());
        List<CommandLine> all = Stream.concat(
                        Stream.of(commands),
                        commands.getSubcommands().values().stream().distinct())
                .toList();
        for (CommandLine command : all) {
            command.setColorScheme(CommandLine.Help.defaultColorScheme(CommandLine.Help.Ansi.OFF));
        }
        ManPageGenerator.generateManPage(
                directory,
                null,
                new boolean[0],
                true,
                all.stream().map(CommandLine::getCommandSpec).toArray(CommandSpec[]::new));
    }
}
