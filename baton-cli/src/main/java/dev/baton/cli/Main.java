package dev.baton.cli;

import dev.baton.StoreException;
import dev.baton.cli.check.CheckCommand;
import dev.baton.cli.console.CliException;
import dev.baton.cli.console.Errors;
import dev.baton.cli.console.ExitCode;
import dev.baton.cli.console.OwnExitCodes;
import dev.baton.cli.console.Printable;
import dev.baton.cli.console.QuietLog;
import dev.baton.cli.console.Terminal;
import dev.baton.cli.demo.DemoCommand;
import dev.baton.cli.look.JobsCommand;
import dev.baton.cli.look.ListCommand;
import dev.baton.cli.look.ReleaseCommand;
import dev.baton.cli.look.ShowCommand;
import dev.baton.cli.look.WatchCommand;
import dev.baton.cli.run.ElectCommand;
import dev.baton.cli.run.JobCommand;
import dev.baton.cli.run.JobRunCommand;
import dev.baton.cli.run.RunCommand;
import java.io.IOException;
import java.io.InputStream;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Properties;
import java.util.Set;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import picocli.AutoComplete.GenerateCompletion;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Help.Ansi;
import picocli.CommandLine.IVersionProvider;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.ParseResult;
import picocli.CommandLine.ScopeType;

/** The command {@code baton}. */
@Command(
        name = "baton",
        description = "Distributed locks for the JVM.",
        synopsisSubcommandLabel = "COMMAND",
        footer = {"", "From a checkout, ./baton bench measures Baton beside its peers: ./baton bench --help."},
        versionProvider = Main.Version.class,
        mixinStandardHelpOptions = true,
        scope = ScopeType.INHERIT)
final class Main {
    private static final String RUN = "run";
    private static final String JOB = "job";
    private static final String ELECT = "elect";

    /** They run commands with arguments of their own, and have exit codes of their own. */
    private static final Set<String> RUNNERS = Set.of(RUN, JOB, ELECT);

    @Option(names = "--debug", scope = ScopeType.INHERIT, description = "Show stack traces of errors.")
    private boolean debug;

    private final Terminal out;
    private final Terminal err;
    private final boolean forPrograms;

    private Main(Terminal out, Terminal err, boolean forPrograms) {
        this.out = out;
        this.err = err;
        this.forPrograms = forPrograms;
    }

    /**
     * Runs a command and exits with its code.
     *
     * @param args the arguments as the user typed them
     */
    public static void main(String[] args) {
        QuietLog.quietLibraries();
        System.exit(execute(args));
    }

    private static int execute(String[] args) {
        Terminal out = Terminal.standardOutput();
        Terminal err = Terminal.standardError();
        if (args.length == 0) {
            CommandLine all = commands(out, err);
            all.usage(all.getErr());
            return ExitCode.USAGE;
        }
        // Reading the options of all commands takes a tenth of a second.
        Map<String, Supplier<Object>> all = makers(out, err);
        Supplier<Object> only = all.get(args[0]);
        Main main = new Main(out, err, wantsJson(args));
        try {
            return with(main, only == null ? all : Map.of(args[0], only)).execute(args);
        } catch (Error fault) {
            // For example a missing library: picocli handles only exceptions.
            return main.say(
                    RUNNERS.contains(args[0]) ? ExitCode.RUN_ITSELF : ExitCode.INTERNAL, "unexpected " + fault, fault);
        }
    }

    /** Used before the arguments are parsed. The commands that others start have their own arguments. */
    private static boolean wantsJson(String[] args) {
        List<String> words = List.of(args);
        boolean runs = RUNNERS.contains(args[0]) && !(args[0].equals(ELECT) && words.contains("--show"));
        return !runs && words.contains("--json");
    }

    /** Returns all commands, with their options. */
    static CommandLine commands(Terminal out, Terminal err) {
        return with(new Main(out, err, false), makers(out, err));
    }

    private static Map<String, Supplier<Object>> makers(Terminal out, Terminal err) {
        Map<String, Supplier<Object>> makers = new LinkedHashMap<>();
        makers.put(RUN, () -> new RunCommand(err));
        makers.put(JOB, () -> new CommandLine(new JobCommand()).addSubcommand(RUN, new JobRunCommand(err)));
        makers.put("jobs", () -> new JobsCommand(out, err));
        makers.put(ELECT, () -> new ElectCommand(out, err));
        makers.put("ls", () -> new ListCommand(out, err));
        makers.put("show", () -> new ShowCommand(out, err));
        makers.put("watch", () -> new WatchCommand(out, err));
        makers.put("release", () -> new ReleaseCommand(out, err));
        makers.put("check", () -> new CheckCommand(out));
        makers.put("demo", () -> new DemoCommand(out, err));
        return makers;
    }

    private static CommandLine with(Main main, Map<String, Supplier<Object>> makers) {
        Terminal out = main.out;
        CommandLine commandLine = new CommandLine(main);
        makers.forEach((name, maker) -> commandLine.addSubcommand(name, maker.get()));
        if (makers.size() > 1) {
            commandLine.addSubcommand(new GenerateCompletion());
        }
        commandLine
                .setOut(out.writer())
                .setErr(main.err.writer())
                .setColorScheme(CommandLine.Help.defaultColorScheme(out.colored() ? Ansi.ON : Ansi.OFF))
                .setUsageHelpWidth(Math.max(80, Math.min(out.width(), 120)))
                .setUsageHelpAutoWidth(false)
                // The commands that are run use "@", and so do store addresses in files.
                .setExpandAtFiles(false)
                .setCaseInsensitiveEnumValuesAllowed(true)
                .setExecutionStrategy(main::run)
                .setParameterExceptionHandler((error, given) -> main.refuse(error))
                .setExecutionExceptionHandler((error, command, parsed) -> main.fail(error, command));
        commandLine.getSubcommands().forEach((name, command) -> {
            if (RUNNERS.contains(name)) {
                // All words after the name of the command to run belong to it.
                command.setStopAtPositional(true);
            }
        });
        return commandLine;
    }

    private int run(ParseResult parsed) {
        if (debug) {
            QuietLog.show();
        }
        return new CommandLine.RunLast().execute(parsed);
    }

    private int refuse(ParameterException error) {
        CommandLine command = error.getCommandLine();
        String help = " (see '" + command.getCommandSpec().qualifiedName() + " --help')";
        return say(code(ExitCode.USAGE, command), firstLine(error.getMessage()) + help, error);
    }

    private int fail(Exception error, CommandLine command) {
        if (isShuttingDown()) {
            // On Ctrl-C, a client is closed while a caller waits on it. That is not an error to report.
            return ExitCode.INTERRUPTED;
        }
        if (error instanceof CliException known) {
            return say(code(known.exitCode(), command), firstLine(known.getMessage()), known);
        }
        if (error instanceof StoreException) {
            return say(code(ExitCode.STORE, command), firstLine(error.getMessage()), error);
        }
        String hint = debug ? "" : " (run again with --debug to see where)";
        return say(code(ExitCode.INTERNAL, command), "unexpected " + firstLine(error.toString()) + hint, error);
    }

    /** Returns whether the JVM is shutting down: it offers no query for this, but it refuses new shutdown hooks. */
    private static boolean isShuttingDown() {
        Thread hook = new Thread(() -> {});
        try {
            Runtime.getRuntime().addShutdownHook(hook);
            Runtime.getRuntime().removeShutdownHook(hook);
            return false;
        } catch (IllegalStateException shuttingDown) {
            return true;
        }
    }

    private static int code(int usual, CommandLine command) {
        return command.getCommand() instanceof OwnExitCodes own ? own.translated(usual) : usual;
    }

    private int say(int exitCode, String message, Throwable error) {
        if (exitCode != ExitCode.INTERRUPTED) {
            err.out().println("baton: " + Printable.of(message));
        }
        if (forPrograms && !out.jsonPrinted()) {
            out.json(Errors.json(message, exitCode));
        }
        if (debug) {
            Errors.printStackTrace(error, err);
        }
        return exitCode;
    }

    private static String firstLine(@Nullable String message) {
        return message == null ? "no message" : message.lines().findFirst().orElse("no message");
    }

    /** Reads the version that Maven wrote into the jar. */
    static final class Version implements IVersionProvider {
        @Override
        public String[] getVersion() throws IOException {
            Properties properties = new Properties();
            try (InputStream in =
                    Main.class.getResourceAsStream("/META-INF/maven/dev.baton/baton-cli/pom.properties")) {
                if (in != null) {
                    properties.load(in);
                }
            }
            String version = properties.getProperty("version", "from a class directory");
            return new String[] {"baton " + version, "Java " + Runtime.version()};
        }
    }
}
