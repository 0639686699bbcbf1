package dev.baton.bench;

import dev.baton.bench.jobs.JobTable;
import java.io.PrintStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Objects;
import java.util.concurrent.Callable;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** The command line of the benchmarks. */
@Command(
        name = "baton bench",
        mixinStandardHelpOptions = true,
        sortOptions = false,
        description = {
            "Measures Baton and its peers in turns on the same servers.",
            "It starts the servers and stops them, unless you give addresses. Progress goes to standard error, results to"
                    + " standard output. Each ratio has the interval that holds it in nine runs of ten, and three"
                    + " sentences sum up the results."
        })
final class Main implements Callable<Integer> {
    private static final double NANOS_PER_SECOND = 1e9;
    private static final int JVMS = 4;
    /** How long the load is measured before the first round. */
    private static final Duration LOOK = Duration.ofSeconds(1);

    private static final List<String> QUICK_STORES = List.of("redis");

    /** The default lengths and numbers of turns. */
    private enum Speed {
        THOROUGH(5, 3, 5),
        QUICK(2, 0.4, 3);

        private final double warmUp;
        private final double seconds;
        private final int rounds;

        Speed(double warmUp, double seconds, int rounds) {
            this.warmUp = warmUp;
            this.seconds = seconds;
            this.rounds = rounds;
        }
    }

    @Option(
            names = "--store",
            split = ",",
            paramLabel = "STORE",
            description = {
                "The stores to measure: memory, redis, postgresql, zookeeper, etcd (all that start here), or addresses of"
                        + " running servers, such as",
                "redis://127.0.0.1:6379 and",
                "jdbc:postgresql://127.0.0.1/test?user=me."
            })
    private List<String> stores = List.of();

    @Option(
            names = "--peers",
            split = ",",
            paramLabel = "PEER",
            description = "Measure only rows with a peer whose name contains one of these, such as rlock or curator.")
    private List<String> peers = List.of();

    @Option(
            names = "--only",
            arity = "1..*",
            paramLabel = "ROW",
            description =
                    "The codes of the rows to measure, or their first parts: a, d.16x1, g.held.calls; --list shows them.")
    private List<String> only = List.of();

    @Option(
            names = "--quick",
            description =
                    "Measure only rows with a target that take short turns, on Redis unless you name stores. It takes"
                            + " three minutes, and intervals are wide.")
    private boolean quick;

    @Option(
            names = "--distance",
            split = ",",
            paramLabel = "TIME",
            defaultValue = "0",
            description =
                    "Put a proxy before each server that adds this much to each round trip, such as 300us or 1ms, and say how"
                            + " long an echo through it takes. Several are measured one after the other, each with a report of"
                            + " its own; 0, the default, is without a proxy.")
    private List<String> distances = List.of();

    @Option(names = "--seconds", paramLabel = "S", description = "The length of one turn (3; quick: 0.4).")
    private @Nullable Double seconds;

    @Option(
            names = "--warm-up",
            paramLabel = "S",
            description =
                    "The length of the warm-up before the first round (5; quick: 2). With --distance there is one more, near the"
                            + " servers, so that code is compiled when it counts.")
    private @Nullable Double warmUp;

    @Option(names = "--rounds", paramLabel = "N", description = "The number of turns of each contestant (5; quick: 3).")
    private @Nullable Integer rounds;

    @Option(
            names = "--jvms",
            defaultValue = "" + JVMS,
            paramLabel = "N",
            description =
                    "The largest number of JVMs over which the clients of a contestant are spread (${DEFAULT-VALUE}); 0"
                            + " puts all contestants into this JVM.")
    private int jvms;

    @Option(
            names = "--charts",
            paramLabel = "DIR",
            description = "Write charts to this directory, as SVG: the waits of callers and the costs of an operation.")
    private @Nullable Path charts;

    @Option(
            names = "--jobs",
            arity = "0..1",
            fallbackValue = "",
            paramLabel = "FILE",
            description =
                    "Play the scenarios of jobs on PostgreSQL instead, with Baton, ShedLock, Quartz and db-scheduler, and print"
                            + " a table of what was counted in Markdown, and write it to this file. --only and --peers choose"
                            + " among them. It takes six minutes.")
    private @Nullable String jobs;

    @Option(
            names = "--scale",
            description =
                    "Measure what clients, held locks and names cost each server instead: its memory and its processor time,"
                            + " as a table in Markdown. It takes five minutes for each store.")
    private boolean scale;

    @Option(names = "--list", description = "Show all rows with their codes, and measure nothing.")
    private boolean list;

    @Option(names = "--json", description = "Print one JSON object instead of text.")
    private boolean json;

    private final Lines lines = Lines.of(System.getProperty("baton.columns", System.getenv("COLUMNS")));
    private final PrintStream out = System.out;
    private final PrintStream err = System.err;

    /**
     * Runs the benchmarks.
     *
     * @param args the arguments of the command
     */
    public static void main(String[] args) {
        System.exit(new CommandLine(new Main())
                .setExecutionExceptionHandler((error, line, parsed) -> {
                    line.getErr().println("baton bench: " + error.getMessage());
                    return CommandLine.ExitCode.SOFTWARE;
                })
                .execute(args));
    }

    @Override
    public Integer call() throws Exception {
        String table = jobs;
        if (table != null) {
            return countJobs(JobTable.chosen(only, peers), table);
        }
        if (scale) {
            out.print(ScaleTable.USUAL.measure(stores.isEmpty() ? ScaleTable.STORES : stores, this::say));
            return CommandLine.ExitCode.OK;
        }
        List<Row> rows = rows();
        if (list) {
            out.print(listed(rows));
            return CommandLine.ExitCode.OK;
        }
        List<Duration> chosen = distances.stream().map(Distance::parse).toList();
        if (charts != null && chosen.size() > 1) {
            throw new IllegalArgumentException("--charts draws one distance, not " + chosen.size());
        }
        Bench.Pace pace = pace();
        boolean complete = true;
        for (Duration distance : chosen) {
            complete &= print(measure(rows, pace, distance));
        }
        return complete ? CommandLine.ExitCode.OK : CommandLine.ExitCode.SOFTWARE;
    }

    /** Prints a report, and returns whether nothing is missing in it. */
    private boolean print(Report report) throws Exception {
        out.print(json ? report.toJson() + '\n' : report.toText());
        if (charts != null) {
            new Charts(report.results(), report.conditions()).write(charts).forEach(file -> say("wrote " + file));
        }
        return report.results().areComplete();
    }

    private int countJobs(JobTable table, String file) throws Exception {
        if (list) {
            table.titles().forEach(title -> out.print(lines.wrap(title)));
            return CommandLine.ExitCode.OK;
        }
        JobTable.Counted counted = table.count(this::say, library -> Lines.plain(Versions.of(library)));
        out.print(counted.markdown());
        if (!file.isEmpty()) {
            Files.writeString(Path.of(file), counted.markdown());
            say("wrote " + file);
        }
        return counted.isComplete() ? CommandLine.ExitCode.OK : CommandLine.ExitCode.SOFTWARE;
    }

    private List<Row> rows() {
        List<Row> rows =
                Rows.chosen(only).stream().filter(this::isBesideChosenPeer).toList();
        if (rows.isEmpty()) {
            throw new IllegalArgumentException("no row has such a peer: --list shows what there is");
        }
        return quick
                ? rows.stream()
                        .filter(row -> row.target().isAny() && !row.trial().isLong())
                        .toList()
                : rows;
    }

    private boolean isBesideChosenPeer(Row row) {
        String peer = row.peer()
                .map(each -> each.name() + ' ' + each.words())
                .orElse("")
                .toLowerCase(Locale.ROOT);
        return peers.isEmpty() || peers.stream().anyMatch(each -> peer.contains(each.toLowerCase(Locale.ROOT)));
    }

    private Bench.Pace pace() {
        Speed speed = quick ? Speed.QUICK : Speed.THOROUGH;
        int turns = Objects.requireNonNullElse(rounds, speed.rounds);
        if (turns < 1) {
            throw new IllegalArgumentException("--rounds must be at least 1");
        }
        return new Bench.Pace(
                duration(Objects.requireNonNullElse(warmUp, speed.warmUp)),
                duration(Objects.requireNonNullElse(seconds, speed.seconds)),
                turns);
    }

    private Report measure(List<Row> rows, Bench.Pace pace, Duration distance) throws Exception {
        List<Long> pids = new ArrayList<>();
        LoadWatch load = new LoadWatch(new Processors(pids), this::say);
        load.lookBefore(LOOK);
        if (stores.stream().anyMatch(Servers::isAddress)) {
            say("Servers that you named by their addresses count as other programs in warnings of load.");
        }
        try (Servers servers = servers(rows);
                Remoteness remote = Remoteness.of(servers.addresses(), distance);
                ChildJvms children = new ChildJvms()) {
            pids.addAll(servers.pids());
            Team.Opener teams = jvms == 0 ? LocalTeam::open : children;
            if (!distance.isZero()) {
                say(remote.distance().words());
            }
            Results results =
                    new Bench(remote, servers::usage, teams, Math.max(1, jvms), pace, load, this::say).run(rows);
            Conditions conditions = new Conditions(pace, load.seen(), servers.versions(), remote.distance());
            return new Report(results, conditions, lines);
        }
    }

    private Servers servers(List<Row> rows) throws Exception {
        if (stores.isEmpty() && !quick) {
            return Servers.openWhatCan(homesOf(rows), this::say);
        }
        return Servers.open(stores.isEmpty() ? QUICK_STORES : stores, this::say);
    }

    private static List<Home> homesOf(List<Row> rows) {
        return rows.stream()
                .flatMap(row -> row.contestants().stream())
                .map(Contestant::home)
                .flatMap(home -> home == Home.BATON ? Stream.of(Home.SERVER) : Stream.of(home))
                .distinct()
                .toList();
    }

    private String listed(List<Row> rows) {
        int widest = rows.stream().mapToInt(row -> row.id().length()).max().orElse(0);
        String indent = " ".repeat(widest + 2);
        return rows.stream()
                .map(row -> lines.wrap(row.id() + indent.substring(row.id().length()), indent, row.words()))
                .collect(Collectors.joining());
    }

    private void say(String what) {
        what.lines().forEach(line -> err.print(lines.wrap(line)));
    }

    private static Duration duration(double seconds) {
        return Duration.ofNanos((long) (seconds * NANOS_PER_SECOND));
    }
}
