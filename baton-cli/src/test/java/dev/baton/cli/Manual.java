package dev.baton.cli;

import dev.baton.cli.console.Terminal;
import java.io.File;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;
import picocli.AutoComplete;
import picocli.CommandLine;
import picocli.CommandLine.Model.CommandSpec;
import picocli.codegen.docgen.manpage.ManPageGenerator;

/**
 * Writes the files of an archive about the commands: the manual as AsciiDoc, which the profile {@code archive} converts into
 * pages for {@code man}, and the completion for bash.
 */
final class Manual {
    private Manual() {}

    /**
     * Writes the manual and the completion.
     *
     * @param args the directory of the manual, the file of the completion, the version
     */
    public static void main(String[] args) throws IOException {
        write(new File(args[0]), args[2]);
        Path completion = Path.of(args[1]);
        Files.createDirectories(completion.toAbsolutePath().getParent());
        Files.writeString(completion, AutoComplete.bash("baton", commands()));
    }

    private static CommandLine commands() {
        return Main.commands(Terminal.standardOutput(), Terminal.standardError());
    }

    private static Stream<CommandLine> withSubcommands(CommandLine command) {
        return Stream.concat(
                Stream.of(command),
                command.getSubcommands().values().stream().distinct().flatMap(Manual::withSubcommands));
    }

    static void write(File directory, String version) throws IOException {
        List<CommandLine> all = withSubcommands(commands()).toList();
        for (CommandLine command : all) {
            command.setColorScheme(CommandLine.Help.defaultColorScheme(CommandLine.Help.Ansi.OFF));
            // Otherwise the pages would name the Java that they were made with.
            command.getCommandSpec().versionProvider(null).version("baton " + version);
        }
        ManPageGenerator.generateManPage(
                directory,
                null,
                new boolean[0],
                true,
                all.stream().map(CommandLine::getCommandSpec).toArray(CommandSpec[]::new));
    }
}
