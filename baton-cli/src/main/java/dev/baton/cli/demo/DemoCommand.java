package dev.baton.cli.demo;

import dev.baton.Baton;
import dev.baton.cli.console.CliException;
import dev.baton.cli.console.ExitCode;
import dev.baton.cli.console.Terminal;
import dev.baton.demo.Children;
import dev.baton.demo.DemoDirectory;
import dev.baton.demo.DemoException;
import dev.baton.demo.Rehearsal;
import dev.baton.demo.Result;
import dev.baton.demo.Round;
import dev.baton.demo.Rounds;
import dev.baton.demo.Sale;
import dev.baton.demo.Settings;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** The flash sale. */
@Command(
        name = "demo",
        description = {
            "Sells a limited stock from several processes: first under the locks that people build on a key-value"
                    + " server, each with the slow, stopped or killed holder that brings its fault out, then under"
                    + " Baton. Installs nothing and leaves nothing behind.",
            ""
        },
        sortOptions = false,
        footerHeading = "%nLocks:%n",
        footer = {
            "  none                 no lock at all",
            "  check-then-set       look whether it is free, then set it",
            "  no-expiry            set if absent",
            "  delete-by-anyone     + an expiry; release deletes whatever is there",
            "  compare-then-delete  + an owner, compared and deleted in two calls",
            "  expiry-only          in one call; but neither renewed nor fenced",
            "  baton                Baton, and a stock row that refuses old fencing tokens",
            "",
            "Exit codes:",
            "    0  Baton oversold nothing, and each broken lock failed as announced",
            "    1  a fault of this program",
            "    2  the arguments make no sense",
            "    3  Baton oversold, got stuck or gave tokens out of order",
            "    4  a broken lock did not show its fault, or Baton had nothing to refuse",
            "    5  the store cannot be reached or used",
            "    6  this machine gives no place for files, or no processes",
            "  130  interrupted"
        })
public final class DemoCommand implements Callable<Integer> {
    private static final int MOST_PROCESSES = 16;
    private static final int MOST_THREADS = 64;
    private static final int LARGEST_STOCK = 10_000;
    /** At least this many units per buyer, so that each buyer gets some in each wave. */
    private static final int UNITS_EACH = 5;

    @Option(names = "--store", paramLabel = "URI", description = "Where Baton's lock lives. Default: an SQLite file.")
    private @Nullable String store;

    @Option(names = "--processes", paramLabel = "N", defaultValue = "3", description = "Shops (${DEFAULT-VALUE}).")
    private int processes;

    @Option(
            names = "--threads",
            paramLabel = "N",
            defaultValue = "4",
            description = "Buyers at once in each shop (${DEFAULT-VALUE}).")
    private int threads;

    @Option(names = "--stock", paramLabel = "N", defaultValue = "300", description = "Units (${DEFAULT-VALUE}).")
    private int stock;

    @Option(names = "--lock", paramLabel = "NAME", arity = "1..*", description = "Only these locks (see below).")
    private List<String> locks = new ArrayList<>();

    @Option(names = "--json", description = "Print one JSON object on standard output, and nothing else there.")
    private boolean json;

    @Option(names = "--keep", description = "Keep the databases, and say where they are.")
    private boolean keep;

    @Option(names = "--rehearse", hidden = true)
    private boolean rehearse;

    @Spec
    @SuppressWarnings("NullAway.Init") // set by picocli before anything else runs
    private CommandSpec spec;

    private final Terminal out;
    private final Terminal err;

    /**
     * Makes the command.
     *
     * @param out for results
     * @param err for progress, when the result is JSON
     */
    public DemoCommand(Terminal out, Terminal err) {
        this.out = out;
        this.err = err;
    }

    @Override
    public Integer call() throws InterruptedException, IOException {
        try {
            return play();
        } catch (DemoException e) {
            int exitCode = switch (e.kind()) {
                case INTERNAL -> ExitCode.INTERNAL;
                case STORE -> ExitCode.STORE;
                case ENVIRONMENT -> ExitCode.ENVIRONMENT;
                case INTERRUPTED -> ExitCode.INTERRUPTED;
            };
            throw new CliException(exitCode, String.valueOf(e.getMessage()), e);
        }
    }

    private int play() throws InterruptedException, IOException {
        List<Round> rounds = checkArguments();
        Progress progress = new Progress(json ? err : out, stock);
        try (DemoDirectory directory = DemoDirectory.create(keep);
                Children children = new Children(directory.path(), debugging())) {
            Thread cleaner = new Thread(() -> cleanUp(progress, children, directory), "cleaner");
            Runtime.getRuntime().addShutdownHook(cleaner);
            System.setProperty("org.sqlite.tmpdir", directory.path().toString());
            if (rehearse) {
                spec.commandLine().getUsageMessage();
                return rehearse(directory);
            }
            String lockStore = store == null ? "jdbc:sqlite:" + directory.path().resolve("baton.db") : store;
            Settings settings = new Settings(lockStore, processes, threads, stock, rounds);
            return run(settings, directory, children, progress);
        }
    }

    private int rehearse(DemoDirectory directory) throws InterruptedException, IOException {
        Settings settings = Rehearsal.settings(directory.path());
        List<Result> results = Rehearsal.run(directory.path(), new Progress(out, settings.stock()));
        Report report = new Report(settings, results, 0);
        report.print(out);
        out.out().println(report.toJson());
        return ExitCode.OK;
    }

    private int run(Settings settings, DemoDirectory directory, Children children, Progress progress)
            throws InterruptedException {
        long start = System.nanoTime();
        if (settings.rounds().stream().anyMatch(round -> round.expected() == Round.Expected.SAFE)) {
            checkStore(settings.store());
        }
        progress.say("Flash sale: " + processes + " processes x " + threads + " buyers, " + stock + " units, "
                + settings.rounds().size() + " of " + Rounds.ALL.size() + " locks");
        List<Result> results = new ArrayList<>();
        for (Round round : settings.rounds()) {
            results.add(Sale.run(round, settings, directory.path(), children, progress));
        }
        Report report = new Report(settings, results, (System.nanoTime() - start) / 1e9);
        if (json) {
            out.out().println(report.toJson());
        } else {
            report.print(out);
        }
        if (keep) {
            progress.say("Files: " + directory.path());
        }
        return report.exitCode();
    }

    private List<Round> checkArguments() {
        check(processes, 1, MOST_PROCESSES, "--processes");
        check(threads, 1, MOST_THREADS, "--threads");
        check(stock, UNITS_EACH * processes * threads, LARGEST_STOCK, "--stock");
        if (store != null && store.startsWith("memory:")) {
            throw wrong("--store must be one that several processes share, but " + store + " is inside a process");
        }
        for (String name : locks) {
            if (Rounds.named(name).isEmpty()) {
                throw wrong("there is no lock \"" + name + "\" in the demo");
            }
        }
        return Rounds.ALL.stream()
                .filter(round -> locks.isEmpty() || locks.contains(round.name()))
                .toList();
    }

    private void check(int value, int least, int most, String option) {
        if (value < least || value > most) {
            throw wrong(option + " must be from " + least + " to " + most + ", but is " + value);
        }
    }

    private ParameterException wrong(String message) {
        return new ParameterException(spec.commandLine(), message);
    }

    /** Returns whether {@code --debug} is set: the option belongs to all commands, and the top command keeps it. */
    private boolean debugging() {
        return Boolean.TRUE.equals(spec.root().findOption("--debug").getValue());
    }

    /** Fails now and not after half a minute if the store cannot be used. */
    private void checkStore(String uri) {
        try (Baton baton = Baton.connect(uri)) {
            baton.clientId();
        } catch (IllegalArgumentException e) {
            throw new CliException(ExitCode.USAGE, "--store: " + e.getMessage(), e);
        }
    }

    /** Also runs after Ctrl-C. */
    private static void cleanUp(Progress progress, Children children, DemoDirectory directory) {
        progress.leave();
        children.close();
        directory.close();
    }
}
