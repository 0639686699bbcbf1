package dev.baton.chaos;

import dev.baton.chaos.check.Finding;
import dev.baton.chaos.client.ClientSettings;
import dev.baton.chaos.fault.Faults;
import dev.baton.chaos.history.HostTime;
import dev.baton.chaos.lock.NameKind;
import dev.baton.chaos.lock.NameSet;
import dev.baton.chaos.report.Report;
import dev.baton.chaos.report.ReportFiles;
import dev.baton.chaos.report.Settings;
import dev.baton.chaos.report.Sum;
import dev.baton.chaos.server.Catalogue;
import dev.baton.chaos.server.Sites;
import dev.baton.chaos.text.Columns;
import dev.baton.chaos.zoo.Animal;
import dev.baton.chaos.zoo.Zoo;
import java.io.PrintStream;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.Callable;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** The command line. */
@Command(
        name = "baton chaos",
        mixinStandardHelpOptions = true,
        subcommands = {SoakCommand.class, CrowdCommand.class},
        sortOptions = false,
        exitCodeListHeading = "%nExit codes:%n",
        exitCodeList = {
            "0:every promise was kept",
            "1:a promise was broken",
            "2:the command line is wrong",
            "3:a fault had no effect, so the run proves nothing about it",
            "4:the run failed"
        },
        description = {
            "Lets several client JVMs use locks while clients, network and server fail, and checks what they saw.",
            "It starts the server, unless you give an address. Progress goes to standard error, the result to standard"
                    + " output; the clients' histories and both reports stay in the directory of the run."
        })
final class Main implements Callable<Integer> {
    private static final String REDIS = "redis";
    private static final int BROKEN = 1;
    private static final int IDLE = 3;
    private static final int FAILED = 4;
    private static final double NANOS_PER_MINUTE = 6e10;

    @Option(
            names = "--store",
            defaultValue = REDIS,
            paramLabel = "STORE",
            description =
                    "redis (the default), redis-durable, redis-sentinel, redis-cluster, redis-three, redis-quorum, postgresql, mariadb, mysql, h2,"
                            + " h2-durable, sqlite, zookeeper, zookeeper-ensemble, etcd, etcd-cluster, memcached, or the address of a"
                            + " store that runs; then only clients fail.")
    private String store = REDIS;

    @Option(
            names = "--subject",
            defaultValue = Settings.BATON,
            paramLabel = "LOCKS",
            description = "The locks under test: baton (the default), or a broken lock of the zoo; see --list.")
    private String subject = Settings.BATON;

    @Option(
            names = "--hunt",
            split = ",",
            paramLabel = "LOCK",
            description = "Run broken locks of the zoo, each under its fault until its checker catches it, and the"
                    + " repaired twin; all for all. --minutes limits each (1).")
    private List<String> hunted = List.of();

    @Option(names = "--list", description = "Print the locks, the stores and the faults, and do nothing else.")
    private boolean list;

    @Option(
            names = "--sum",
            arity = "1..*",
            paramLabel = "DIR",
            description = "Add up the reports of former runs in and below directories, print Markdown, and do nothing"
                    + " else.")
    private List<Path> summed = List.of();

    @Option(
            names = "--faults-of",
            paramLabel = "STORE",
            description = "Print what each fault does to a store, or why the store has none, and do nothing else.")
    private @Nullable String faultsOf;

    @Option(
            names = "--faults",
            split = ",",
            defaultValue = "all",
            paramLabel = "FAULT",
            description =
                    "Names of faults, or beginnings such as client, wire, server; none (all that the store can have).")
    private List<String> faults = List.of("all");

    @Option(names = "--minutes", defaultValue = "1", paramLabel = "M", description = "How long faults happen (1).")
    private double minutes = 1;

    @Option(
            names = "--seed",
            paramLabel = "N",
            description = "Decides which faults happen, and when; a new number if it is missing. The result names it.")
    private @Nullable Long seed;

    @Mixin
    private final ClientOptions team = new ClientOptions();

    @Option(names = "--names", defaultValue = "10", paramLabel = "N", description = "The number of locks (10).")
    private int names = 10;

    @Option(
            names = "--kinds",
            split = ",",
            paramLabel = "KIND",
            description =
                    "The kinds of the names, in turn: lock, read-write, semaphore, all-of, note, term, job (lock; with a"
                            + " broken lock those that it has). Memcached has lock and all-of only.")
    private List<String> kinds = List.of();

    @Option(
            names = "--long-sections",
            paramLabel = "N",
            description =
                    "Of 10,000 sections, so many take up to 1.2 leases (2; 30 and up to 4 leases with a broken lock, and ten"
                            + " times as many of its elections and jobs).")
    private @Nullable Integer longSections;

    @Option(
            names = "--calm",
            defaultValue = "1.5",
            paramLabel = "L",
            description = "The longest time without a fault, in leases (1.5). The shortest is an eighth of it.")
    private double calm = Settings.CALM;

    @Option(
            names = "--directory",
            paramLabel = "DIR",
            description = "Where the run writes its files: a new directory (target/chaos/STORE-SEED).")
    private @Nullable Path directory;

    @Option(names = "--json", description = "Print the result as JSON.")
    private boolean json;

    private final PrintStream out = System.out;
    private final PrintStream err = System.err;

    /**
     * Runs.
     *
     * @param args the arguments of the command
     */
    public static void main(String[] args) {
        System.exit(commandLine().execute(args));
    }

    static CommandLine commandLine() {
        return new CommandLine(new Main()).setExecutionExceptionHandler((error, line, parsed) -> {
            line.getErr().println("baton chaos: " + error.getMessage());
            return error instanceof IllegalArgumentException ? CommandLine.ExitCode.USAGE : FAILED;
        });
    }

    @Override
    public Integer call() throws Exception {
        if (faultsOf != null) {
            out.print(Catalogue.of(faultsOf));
            return CommandLine.ExitCode.OK;
        }
        if (list) {
            print();
            return CommandLine.ExitCode.OK;
        }
        if (!summed.isEmpty()) {
            out.print(Sum.of(summed).toMarkdown());
            return CommandLine.ExitCode.OK;
        }
        Settings settings = settings();
        if (!hunted.isEmpty()) {
            return hunt(settings);
        }
        Report report = new ChaosRun(settings, line -> err.println(line)).run();
        ReportFiles.write(report);
        out.print(json ? report.toJson() : report.toText());
        err.println("seed " + settings.seed() + "; files in " + settings.directory());
        if (!report.violations().isEmpty()) {
            return BROKEN;
        }
        report.idleFaults().forEach(fault -> err.println("baton chaos: " + fault + " never had an effect"));
        return report.idleFaults().isEmpty() ? CommandLine.ExitCode.OK : IDLE;
    }

    private int hunt(Settings settings) throws Exception {
        List<String> known = Zoo.animals().stream().map(Animal::name).toList();
        hunted.stream().filter(name -> !name.equals("all")).forEach(name -> Names.require("broken lock", name, known));
        int escaped = 0;
        for (Animal animal : Zoo.animals()) {
            if (hunted.contains(animal.name()) || hunted.contains("all")) {
                Hunt hunt = new Hunt(animal, settings.directory(), settings.seed(), line -> err.println(line));
                Hunt.Catch caught = hunt.untilCaught(settings.length());
                Report repaired = hunt.repaired(Hunt.TWIN);
                boolean good =
                        caught.seconds().isPresent() && repaired.violations().isEmpty();
                escaped += good ? 0 : 1;
                repaired.violations().forEach(found -> err.println("twin: " + found.message()));
                out.printf(
                        "%-26s %-18s %-11s %6.1f s, %d runs, %s; twin: %d holds, %s%n",
                        animal.name(),
                        animal.fault(),
                        animal.promise(),
                        caught.seconds().orElse(Double.NaN),
                        caught.rounds(),
                        promises(caught.last()),
                        repaired.counts().holds(),
                        promises(repaired));
            }
        }
        return escaped == 0 ? CommandLine.ExitCode.OK : BROKEN;
    }

    private static Set<String> promises(Report report) {
        return report.violations().stream().map(Finding::promise).collect(Collectors.toCollection(TreeSet::new));
    }

    private void print() {
        print("locks: " + Settings.BATON + ", " + String.join(", ", Zoo.subjects()));
        print("stores: " + String.join(", ", Sites.names()));
        print("faults of every server's clients: " + Faults.ids(Faults.common(true)));
        print("each store has more: see --faults-of STORE");
    }

    private void print(String paragraph) {
        out.print(Columns.paragraph(paragraph));
    }

    /** A broken lock brings the store that it needs, unless another one is named. */
    private String storeOf(String locks) {
        return store.equals(REDIS) && !locks.equals(Settings.BATON) ? Zoo.store(locks) : store;
    }

    private List<NameKind> kindsOf(String locks) {
        boolean own = Zoo.hasOwnLocks(locks);
        List<NameKind> known = own ? Zoo.kinds(locks) : List.of(NameKind.values());
        if (kinds.isEmpty()) {
            return own ? known : List.of(NameKind.LOCK);
        }
        List<NameKind> chosen = NameKind.list(kinds);
        if (!known.containsAll(chosen)) {
            throw new IllegalArgumentException(locks + " has only names of " + NameKind.words(known));
        }
        return chosen;
    }

    private Settings settings() {
        if (!subject.equals(Settings.BATON)) {
            Names.require("lock", subject, Zoo.subjects());
        }
        if (longSections != null && (longSections < 0 || longSections > ClientSettings.SECTIONS)) {
            throw new IllegalArgumentException("--long-sections must be from 0 to " + ClientSettings.SECTIONS);
        }
        long number = seed == null ? HostTime.nanos() & Integer.MAX_VALUE : seed;
        if (!team.arePositive() || names < 1 || minutes <= 0 || calm <= 0) {
            throw new IllegalArgumentException(
                    "--clients, --threads, --names, --minutes, --lease and --calm must be positive");
        }
        return new Settings(
                storeOf(subject),
                subject,
                faults,
                Duration.ofNanos((long) (minutes * NANOS_PER_MINUTE)),
                number,
                team.clients,
                team.threads,
                new NameSet(names, kindsOf(subject)),
                Duration.ofMillis(team.leaseMillis),
                longSections == null ? ClientSettings.longSections(subject) : longSections,
                calm,
                RunFiles.directory(directory, "", store, number));
    }
}
